// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Many requests that enter with one question to the store, and many answers that are recorded with one statement. */
final class BatchedRequests {

    static List<CompletableFuture<RequestDecision>> enter(List<Admission.Reading> readings, Executor others) {
        List<CompletableFuture<RequestDecision>> entries = new ArrayList<>(readings.size());
        Map<HttpIdempotency.Scheme, List<Entering>> byScheme = new LinkedHashMap<>();
        for (Admission.Reading reading : readings) {
            Call call;
            try {
                call = reading.call();
            } catch (RuntimeException e) {
                entries.add(CompletableFuture.failedFuture(e));
                continue;
            }
            if (call == null) {
                entries.add(CompletableFuture.completedFuture(reading.refusal()));
            } else {
                entries.add(new CompletableFuture<>());
                byScheme.computeIfAbsent(reading.scheme(), scheme -> new ArrayList<>())
                        .add(new Entering(entries.size() - 1, reading, call));
            }
        }
        byScheme.forEach((scheme, enterings) -> begin(scheme, enterings, entries, others));
        return entries;
    }

    private static void begin(
            HttpIdempotency.Scheme scheme,
            List<Entering> enterings,
            List<CompletableFuture<RequestDecision>> entries,
            Executor others) {
        List<Call> calls = enterings.stream().map(Entering::call).toList();
        List<CompletableFuture<Begun<Answer>>> begun = scheme.engine().beginAll(calls, Answer.codec(), others);
        for (int i = 0; i < begun.size(); i++) {
            Entering entering = enterings.get(i);
            entries.set(entering.place, begun.get(i).handle(entering::entered));
        }
    }

    static List<CompletableFuture<Optional<Problem>>> complete(
            List<RequestDecision.Run.Completing> completings, Executor others) {
        List<CompletableFuture<Optional<Problem>>> problems = new ArrayList<>(completings.size());
        List<Begun.Completing<Answer>> recordings = new ArrayList<>(completings.size());
        List<Integer> places = new ArrayList<>(completings.size());
        for (RequestDecision.Run.Completing each : completings) {
            RunCompletion ending = each.run().ending();
            Begun.Completing<Answer> recording;
            try {
                recording = ending.recording(each.answer());
            } catch (RuntimeException e) {
                problems.add(CompletableFuture.failedFuture(e));
                continue;
            }
            if (recording == null) {
                problems.add(CompletableFuture.supplyAsync(() -> ending.complete(each.answer()), orHere(others)));
            } else {
                places.add(problems.size());
                problems.add(new CompletableFuture<>());
                recordings.add(recording);
            }
        }
        List<CompletableFuture<Outcome.Done<Answer>>> done = Begun.Started.completeAll(recordings, others);
        for (int i = 0; i < done.size(); i++) {
            RunCompletion ending = completings.get(places.get(i)).run().ending();
            problems.set(places.get(i), done.get(i).handle((value, failure) -> ending.recorded(failure)));
        }
        return problems;
    }

    /** A run that was begun has to end, even if the executor takes no more work. */
    private static Executor orHere(Executor others) {
        return task -> {
            try {
                others.execute(task);
            } catch (RuntimeException | Error e) {
                task.run();
            }
        };
    }

    /** A request on its way in, and its place among those that came with it. */
    private record Entering(int place, Admission.Reading reading, Call call) {

        RequestDecision entered(@Nullable Begun<Answer> begun, @Nullable Throwable failure) {
            return reading.entered(() -> {
                if (begun == null) {
                    throw unchecked(Objects.requireNonNull(failure));
                }
                return begun;
            });
        }

        private static RuntimeException unchecked(Throwable failure) {
            if (failure instanceof Error error) {
                throw error;
            }
            return (RuntimeException) failure;
        }
    }

    private BatchedRequests() {}
}
