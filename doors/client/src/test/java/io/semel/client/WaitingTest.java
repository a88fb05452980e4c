// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.Result.Answered;
import io.semel.client.Result.NotSent;
import io.semel.client.Result.Unknown;
import io.semel.client.Server.Act;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WaitingTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ATTEMPT = Duration.ofSeconds(10);

    private final Ticks time = new Ticks();
    private final RetryingClient client = RetryingClient.over(HTTP).with(time);

    @Test
    void pausesDoubleUpToTheLongest() throws Exception {
        try (Server server = Server.doing(Act.answer(503, ""))) {
            CompletableFuture<Result> sent = client.sendAsync(server.pay());
            long[] millis = {100, 200, 400, 800, 1600, 3200, 5000, 5000};

            for (long expected : millis) {
                assertThat(time.next()).isEqualTo(ATTEMPT);
                Duration pause = time.next();
                assertThat(pause).isEqualTo(Duration.ofMillis(expected));
                time.advance(pause);
            }
            assertThat(sent).isNotDone();
            sent.cancel(true);
        }
    }

    @Test
    void aWaitThatTheServiceAsksForIsKept() throws Exception {
        try (Server server = Server.doing(Act.answer(429, "", "Retry-After: 7"), Act.answer(201, "paid"))) {
            CompletableFuture<Result> sent = client.sendAsync(server.pay());
            assertThat(time.next()).isEqualTo(ATTEMPT);
            assertThat(time.next()).isEqualTo(Duration.ofMillis(7100));

            time.advance(Duration.ofMillis(7099));
            assertThat(server.received).hasSize(1);
            time.advance(Duration.ofMillis(1));

            assertThat(sent.get(30, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
        }
    }

    @Test
    void aWaitBeyondTheDeadlineIsNotBegun() throws Exception {
        try (Server server = Server.doing(Act.problem(409, "in-progress", "Retry-After: 60"))) {
            Unknown unknown = (Unknown) client.sendAsync(server.pay()).get(30, TimeUnit.SECONDS);

            assertThat(unknown.stop()).isEqualTo(StopReason.DEADLINE);
            assertThat(unknown.attempts()).isEqualTo(1);
        }
    }

    @Test
    void theLastAttemptEndsWithTheDeadline() throws Exception {
        try (Server server = Server.doing(Act.silence())) {
            RetryPolicy retries = RetryPolicy.standard().deadline(Duration.ofSeconds(4));
            CompletableFuture<Result> sent = client.with(retries).sendAsync(server.pay());
            assertThat(time.next()).isEqualTo(Duration.ofSeconds(4));

            time.advance(Duration.ofSeconds(4));

            assertThat(sent.get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.stop()).isEqualTo(StopReason.DEADLINE));
        }
    }

    @Test
    void anInterruptWhileItWaitsForAnAnswerLeavesItUnknown() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Act stall = Act.stall(left::countDown);
        try (Server server = Server.deciding((number, request) -> {
            arrived.countDown();
            return stall;
        })) {
            Waiter waiter = new Waiter(server.pay());
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();

            Unknown unknown = (Unknown) waiter.interrupt();

            assertThat(unknown.stop()).isEqualTo(StopReason.INTERRUPTED);
            assertThat(waiter.stillInterrupted).isTrue();
            assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anInterruptBetweenAttemptsEndsTheCallWithWhatIsKnown() throws Exception {
        try (Server server = Server.doing(Act.answer(429, ""))) {
            Waiter waiter = new Waiter(server.pay());
            assertThat(time.next()).isEqualTo(ATTEMPT);
            time.next();

            assertThat(waiter.interrupt()).isInstanceOf(Answered.class);

            time.advance(Duration.ofMinutes(1));
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void anInterruptedThreadSendsNothing() throws IOException {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            Thread.currentThread().interrupt();
            Result result = client.send(server.pay());

            assertThat(Thread.interrupted()).isTrue();
            assertThat(result).isInstanceOf(NotSent.class);
            assertThat(server.received).isEmpty();
        }
    }

    @Test
    void cancellingTheFutureEndsTheRetries() throws Exception {
        try (Server server = Server.doing(Act.answer(503, ""))) {
            CompletableFuture<Result> sent = client.sendAsync(server.pay());
            time.next();
            time.next();

            sent.cancel(true);
            time.advance(Duration.ofMinutes(1));

            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void cancellingTheFutureClosesTheConnection() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Act stall = Act.stall(left::countDown);
        try (Server server = Server.deciding((number, request) -> {
            arrived.countDown();
            return stall;
        })) {
            CompletableFuture<Result> sent = client.sendAsync(server.pay());
            assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();

            sent.cancel(true);

            assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void oneKeyIsNotSentTwiceAtOnce() throws Exception {
        try (Server server = Server.doing(Act.silence())) {
            Intent intent = server.pay();
            CompletableFuture<Result> sent = client.sendAsync(intent);

            assertThatThrownBy(() -> client.sendAsync(intent)).hasMessageContaining("already; wait for its result");

            sent.cancel(true);
            assertThat(client.sendAsync(intent).cancel(true)).isTrue();
        }
    }

    @Test
    void whoHearsOfTheEndMaySendItAgainAtOnce() throws Exception {
        RetryingClient timed = impatient();
        try (Server server = Server.doing(Act.silence())) {
            Intent intent = server.pay();

            Result again = timed.sendAsync(intent)
                    .thenCompose(unknown -> timed.sendAsync(intent))
                    .get(30, TimeUnit.SECONDS);

            assertThat(again).isInstanceOf(Unknown.class);
        }
    }

    private static RetryingClient impatient() {
        return RetryingClient.over(HTTP)
                .with(RetryPolicy.standard().deadline(Duration.ofMillis(200)).attemptTimeout(Duration.ofMillis(50)));
    }

    @Test
    void whatACallerDoesWithAResultDoesNotHoldUpOthers() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        RetryingClient timed = impatient();
        try (Server server = Server.doing(Act.silence())) {
            var slow = timed.sendAsync(server.pay()).thenRun(() -> {
                try {
                    hold.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });

            assertThat(timed.sendAsync(server.pay()).get(30, TimeUnit.SECONDS)).isInstanceOf(Unknown.class);
            assertThat(timed.sendAsync(server.pay()).get(30, TimeUnit.SECONDS)).isInstanceOf(Unknown.class);
            assertThat(slow).isNotDone();
        } finally {
            hold.countDown();
        }
    }

    @Test
    void aTimeoutThatIsStillScheduledHoldsOnToNothingOfACallThatHasEnded() throws Exception {
        WeakReference<Intent> gone = sendAndForget();

        for (int i = 0; i < 100 && !gone.refersTo(null); i++) {
            System.gc();
            byte[][] pressure = new byte[16][1 << 20];
            assertThat(pressure).hasNumberOfRows(16);
        }

        assertThat(gone.refersTo(null)).isTrue();
        assertThat(time.next()).isEqualTo(ATTEMPT);
    }

    private WeakReference<Intent> sendAndForget() throws Exception {
        try (Server server = Server.doing(Act.answer(201, "paid"))) {
            Intent intent = server.pay();
            assertThat(client.sendAsync(intent).get(30, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
            return new WeakReference<>(intent);
        }
    }

    /** A thread that waits for a result until it is interrupted. */
    private final class Waiter {

        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private final AtomicBoolean stillInterrupted = new AtomicBoolean();
        private final Thread thread;

        Waiter(Intent intent) {
            thread = new Thread(() -> {
                Result known = client.send(intent);
                stillInterrupted.set(Thread.currentThread().isInterrupted());
                result.complete(known);
            });
            thread.start();
        }

        Result interrupt() throws Exception {
            thread.interrupt();
            return result.get(30, TimeUnit.SECONDS);
        }
    }
}
