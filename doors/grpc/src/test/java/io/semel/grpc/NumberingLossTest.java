// SPDX-License-Identifier: Apache-2.0
package io.semel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import io.semel.client.ClientEvent;
import io.semel.client.FileIntentJournal;
import io.semel.client.Intent;
import io.semel.client.ProblemType;
import io.semel.client.Result;
import io.semel.client.RetryingClient;
import io.semel.testkit.fault.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client that counts by itself does where a call, an answer, a server, the client or its session is lost. */
class NumberingLossTest extends NumberedCalls {

    @Test
    void case83_whatGotNoAnswerIsSentAgainUnderTheSameNumberAndHappensOnce() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            onFirst(line::cut);

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(numbers()).containsExactly("1");
            assertThat(events).anyMatch(ClientEvent.Retrying.class::isInstance);
            assertThat(numbers.session().outstanding()).isEmpty();
        }
    }

    @Test
    void whatTheServerNeverGotIsSentAgainToo() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            line.failAt("pay", Wire.Moment.BEFORE, Wire.Failure.CUT);

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void anAttemptThatTakesTooLongIsFollowedByOthersUntilTheAnswerIsThere() throws Exception {
        CountDownLatch retried = new CountDownLatch(1);
        RetryingClient impatient = client.with(RETRIES.attemptTimeout(Duration.ofMillis(300)))
                .listener(event -> {
                    if (event instanceof ClientEvent.Retrying) {
                        retried.countDown();
                    }
                });
        try (NumberingInterceptor numbers = NumberingInterceptor.open(impatient)) {
            onFirst(() -> await(retried));

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void aServerThatIsRestartedAnswersWhatWasSentToTheOneBefore() throws Exception {
        AtomicBoolean restarted = new AtomicBoolean();
        RetryingClient watching = client.listener(event -> {
            if (event instanceof ClientEvent.Retrying && restarted.compareAndSet(false, true)) {
                restart();
            }
        });
        try (NumberingInterceptor numbers = NumberingInterceptor.open(watching)) {
            Counter before = counter;
            onFirst(line::cut);

            assertThat(pay(numbers)).isEqualTo("pay 1");
            assertThat(counter).isNotSameAs(before);
            assertThat(before.runs).hasValue(1);
            assertThat(counter.runs).hasValue(0);
            assertThat(pay(numbers)).isEqualTo("pay 1");
        }
    }

    @Test
    void whatNeverLeftThisMachineIsNotOutstanding() throws Exception {
        try (NumberingInterceptor numbers =
                NumberingInterceptor.open(client.with(RETRIES.deadline(Duration.ofMillis(700))))) {
            pay(numbers);
            line.close();
            // One call finds out that the line is dead; from then on the channel knows.
            refusal(() -> pay(numbers));
            numbers.session().outstanding().forEach(each -> numbers.session().giveUp(each.key()));

            assertThat(refusal(() -> pay(numbers))).isEqualTo("UNAVAILABLE not-sent");
            assertThat(numbers.session().outstanding()).isEmpty();
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void anUnknownOutcomeIsSaidAndHoldsTheMarkUntilItIsAskedForAgain() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            StatusRuntimeException lost = failure(() -> pay(numbers));
            assertThat(Counter.refused(lost)).isEqualTo("ABORTED outcome-unknown");
            String key = lost.getTrailers().get(MetadataKeys.SESSION) + "/"
                    + lost.getTrailers().get(MetadataKeys.REQUEST);
            pay(numbers);
            pay(numbers);
            assertThat(numbers.session().outstanding()).extracting(Intent::key).containsExactly(key);
            assertThat(sessions.countSessions().requests()).isEqualTo(3);

            Result.Answered found =
                    (Result.Answered) numbers.session().again(key).get(30, TimeUnit.SECONDS);
            pay(numbers);

            assertThat(found.replayed()).isTrue();
            assertThat(new String(found.response().body(), UTF_8)).isEqualTo("pay 1");
            assertThat(found.response().headers().firstValue("grpc-status")).hasValue("0");
            assertThat(numbers()).containsExactly("1", "2", "3", "4");
            assertThat(sessions.countSessions().requests()).isEqualTo(1);
        }
    }

    @Test
    void aLostSessionTellsWhatIsUnknownAndSendsNothingAnew() throws Exception {
        try (NumberingInterceptor numbers = NumberingInterceptor.open(resigned)) {
            onFirst(line::cut);
            failure(() -> pay(numbers));
            String key = numbers.session().outstanding().get(0).key();
            // A request that still ran would keep its session alive.
            assertThat(executed.poll(30, TimeUnit.SECONDS)).isNotNull();
            time.advance(LEASE);

            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION session-expired");
            assertThat(numbers.session().isOver()).isTrue();
            assertThat(numbers.session().outstanding()).extracting(Intent::key).containsExactly(key);
            assertThat(events)
                    .contains(new ClientEvent.SessionLost(
                            key.substring(0, key.indexOf('/')), ProblemType.SESSION_EXPIRED));
            assertThat(refusal(() -> pay(numbers))).isEqualTo("FAILED_PRECONDITION session-over");
            assertThat(counter.runs).hasValue(1);
        }
    }

    @Test
    void whatARestartOfTheClientInterruptedIsFinishedUnderItsOldNumber(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("intents");
        NumberingInterceptor killed;
        try (FileIntentJournal intents = FileIntentJournal.open(file)) {
            killed = NumberingInterceptor.open(resigned.journal(intents, "tenant"));
            onFirst(line::cut);
            failure(() -> pay(killed, CallOptions.DEFAULT, tenant("seven")));
        }
        String key = killed.session().outstanding().get(0).key();
        try (FileIntentJournal intents = FileIntentJournal.open(file)) {
            List<Result> finished =
                    client.journal(intents).resume(intent -> intent).get(30, TimeUnit.SECONDS);

            Result.Answered answered = (Result.Answered) finished.get(0);
            assertThat(answered.key()).isEqualTo(key);
            assertThat(answered.replayed()).isTrue();
            assertThat(new String(answered.response().body(), UTF_8)).isEqualTo("pay 1");
            assertThat(intents.unfinished()).isEmpty();
            assertThat(seen).hasSize(2).allMatch(each -> "seven".equals(each.get(TENANT)));
        }
        killed.close();
    }

    @Test
    void everyNumberHasOneEffectHoweverOftenTheLineIsCut() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        Random random = new Random(7);
        counter.handler = request -> {
            int run = counter.runs.incrementAndGet();
            if (random.nextInt(3) == 0) {
                line.cut();
            }
            return request + " " + run;
        };
        try (NumberingInterceptor numbers = NumberingInterceptor.open(client)) {
            List<Callable<String>> work = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                work.add(() -> pay(numbers));
            }
            for (Future<String> each : threads.invokeAll(work)) {
                assertThat(each.get()).startsWith("pay ");
            }

            assertThat(counter.runs).hasValue(60);
            assertThat(numbers()).hasSize(60).doesNotHaveDuplicates();
            assertThat(numbers.session().outstanding()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }
}
