// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Sends what was left unfinished, a few at a time, so that a restart is not a storm of its own. */
final class Resumption {

    private static final int LANES = 8;

    private final ClientContext context;
    private final List<Intent> left;
    private final UnaryOperator<Intent> dress;
    private final Instant oldest;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, Result> results = new ConcurrentHashMap<>();
    private final CompletableFuture<List<Result>> all = new CompletableFuture<>();

    Resumption(ClientContext context, List<Intent> left, UnaryOperator<Intent> dress, Instant oldest) {
        this.context = context;
        this.left = left;
        this.dress = dress;
        this.oldest = oldest;
    }

    CompletableFuture<List<Result>> start() {
        if (left.isEmpty()) {
            all.complete(List.of());
        }
        for (int lane = 0; lane < LANES; lane++) {
            goOn();
        }
        return all;
    }

    private void goOn() {
        for (int i = next.getAndIncrement(); i < left.size() && !all.isDone(); i = next.getAndIncrement()) {
            int number = i;
            CompletableFuture<Result> sent = send(left.get(i));
            if (!sent.isDone()) {
                var unused = sent.thenAccept(result -> {
                    ended(number, result);
                    goOn();
                });
                return;
            }
            ended(number, sent.join());
        }
    }

    private CompletableFuture<Result> send(Intent intent) {
        if (intent.since().isBefore(oldest)) {
            return CompletableFuture.completedFuture(
                    new Result.Unknown(intent.key(), 0, StopReason.TOO_OLD, null, null));
        }
        Intent dressed;
        try {
            dressed = dress.apply(intent).key(intent.key());
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(new Result.Unknown(intent.key(), 0, StopReason.FINAL, e, null));
        }
        return context.send(dressed, true);
    }

    private void ended(int number, Result result) {
        results.put(number, result);
        if (results.size() == left.size()) {
            all.complete(IntStream.range(0, left.size()).mapToObj(results::get).toList());
        }
    }
}
