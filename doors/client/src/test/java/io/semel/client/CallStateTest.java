// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.client.CallState.Next;
import io.semel.client.Result.CarriedOut;
import io.semel.client.Transport.Evidence;
import io.semel.client.Transport.Verdict;
import io.semel.client.internal.attempt.RetryBudget;
import io.semel.testkit.ManualTime;
import io.semel.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallStateTest {

    private static final Given OVERLOADED = Given.of(503, "");
    private static final Transport HTTP = new HttpTransport(HttpClient.newHttpClient(), "urn:");

    /** Manual time with seeded jitter. */
    private record Dice(ManualTime manual, Random random) implements Time {

        @Override
        public long nanos() {
            return manual.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            manual.sleep(duration);
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
            return manual.await(future, atMost);
        }

        @Override
        public void schedule(Duration delay, Runnable task) {
            manual.schedule(delay, task);
        }

        @Override
        public double jitter() {
            return random.nextDouble();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverComesPausesStayInBoundsAndNothingBeginsAfterTheDeadline(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            RetryPolicy retries = RetryPolicy.standard()
                    .deadline(Duration.ofMillis(1 + random.nextInt(120_000)))
                    .attemptTimeout(Duration.ofMillis(1 + random.nextInt(20_000)))
                    .pauses(Duration.ofMillis(1 + random.nextInt(1000)), Duration.ofMillis(1 + random.nextInt(20_000)));
            runOut(retries, new RetryBudget(1000, 0), random);
        }
    }

    private static void runOut(RetryPolicy retries, RetryBudget budget, Random random) {
        Dice time = new Dice(new ManualTime(), random);
        CallState state = new CallState("key", retries, budget, time, false);
        long end = retries.deadline.toNanos();
        while (true) {
            Duration limit = state.begin(null);
            assertThat(time.nanos() + limit.toNanos()).isLessThanOrEqualTo(end);
            assertThat(limit).isLessThanOrEqualTo(retries.attemptTimeout);
            time.manual.advance(limit.multipliedBy(random.nextInt(101)).dividedBy(100));
            int asked = random.nextInt(4);
            Given response = asked == 0 ? OVERLOADED : Given.of(503, "", "Retry-After: " + asked);
            Verdict verdict = HttpTransport.judge(response, "urn:");
            state.answered(response, verdict);
            if (!(state.next(verdict) instanceof Next.Again again)) {
                return;
            }
            Duration backoff = again.pause().minusSeconds(asked);
            double doubled = retries.firstPause.toNanos() * Math.pow(2, state.attempts() - 1);
            assertThat(backoff).isBetween(Duration.ZERO, retries.longestPause);
            assertThat((double) backoff.toNanos()).isLessThanOrEqualTo(doubled);
            time.manual.advance(again.pause());
            assertThat(time.nanos()).isLessThan(end);
        }
    }

    @Test
    void pausesAreSpreadOverTheWholeOfTheirRange() {
        Random random = new Random(42);
        int[] tenths = new int[10];
        for (int i = 0; i < 10_000; i++) {
            Duration pause = RetryPolicy.standard().pause(3, random.nextDouble());
            tenths[(int) (pause.toNanos() * 10 / Duration.ofMillis(400).toNanos())]++;
        }

        assertThat(Arrays.stream(tenths)).allMatch(count -> count > 800 && count < 1200);
    }

    @Test
    void aLongWaitThatIsAskedForEndsTheCallAtOnce() {
        CallState state = state(RetryPolicy.standard().deadline(Duration.ofSeconds(30)));
        state.begin(null);
        Given response = Given.of(429, "", "Retry-After: 31");
        Verdict verdict = HttpTransport.judge(response, "urn:");
        state.answered(response, verdict);

        assertThat(state.next(verdict)).isEqualTo(new Next.End(StopReason.DEADLINE));
    }

    @Test
    void theRequestsOwnTimeoutCountsIfItIsShorter() {
        assertThat(state(RetryPolicy.standard()).begin(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(state(RetryPolicy.standard()).begin(Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aBudgetIsNeverOverdrawn(long seed) {
        Random random = new Random(seed);
        int full = 1 + random.nextInt(50);
        double returned = random.nextDouble();
        RetryBudget budget = new RetryBudget(full, returned);
        int taken = 0;
        int answers = 0;
        for (int i = 0; i < 10_000; i++) {
            if (random.nextInt(3) == 0) {
                budget.answered();
                answers++;
            } else if (budget.take()) {
                taken++;
            }
            assertThat((double) taken).isLessThanOrEqualTo(full + answers * returned + 0.01);
        }
        for (int i = 0; i < 10_000; i++) {
            budget.answered();
        }
        int left = 0;
        while (budget.take()) {
            left++;
        }
        assertThat(left).isEqualTo(full);
    }

    @Test
    void aServiceThatFailsForLongGetsOnlyATenthMoreThanUsual() {
        RetryBudget budget = new RetryBudget(100, 0.1);
        int requests = 0;
        for (int call = 0; call < 10_000; call++) {
            requests++;
            boolean down = call % 2 == 0;
            while (down && budget.take()) {
                requests++;
            }
            if (!down) {
                budget.answered();
            }
        }

        assertThat(requests).isBetween(10_000, 10_000 + 100 + 500);
    }

    @Test
    void attemptsThatNeverLeftDoNotHideTheAnswerBefore() {
        CallState state = state(RetryPolicy.standard());
        state.begin(null);
        Given limit = Given.of(429, "");
        state.answered(limit, HttpTransport.judge(limit, "urn:"));
        state.begin(null);
        ConnectException refused = new ConnectException();
        state.failed(refused, HTTP.judge(refused));

        assertThat(state.result(StopReason.DEADLINE, false))
                .isEqualTo(new Result.Answered("key", 2, limit, false, CarriedOut.NO));
    }

    @Test
    void anAttemptThatIsUnderWayIsUnknown() {
        CallState state = state(RetryPolicy.standard());
        state.begin(null);

        assertThat(state.result(StopReason.INTERRUPTED, false)).isInstanceOf(Result.NotSent.class);
        assertThat(state.result(StopReason.INTERRUPTED, true)).isInstanceOf(Result.Unknown.class);
    }

    @Test
    void whatAnEarlierProcessMayHaveSentIsNeverNotSent() {
        CallState state = new CallState("key", RetryPolicy.standard(), new RetryBudget(1, 0), new ManualTime(), true);
        state.begin(null);
        ConnectException refused = new ConnectException();
        state.failed(refused, HTTP.judge(refused));

        assertThat(state.result(StopReason.DEADLINE, false)).isInstanceOf(Result.Unknown.class);
    }

    @Test
    void everyFailureButThatOfConnectingLeavesDoubt() {
        assertThat(HTTP.judge(new ConnectException()).evidence()).isEqualTo(Evidence.NOT_SENT);
        assertThat(HTTP.judge(new IOException("reset")).evidence()).isEqualTo(Evidence.MAYBE);
        assertThat(HTTP.judge(new IllegalStateException()).evidence()).isEqualTo(Evidence.MAYBE);
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        RetryPolicy retries = RetryPolicy.standard();

        assertThatThrownBy(() -> retries.deadline(Duration.ZERO)).hasMessageContaining("longer than zero");
        assertThatThrownBy(() -> retries.attemptTimeout(Duration.ofDays(2))).hasMessageContaining("at most a day");
        assertThatThrownBy(() -> retries.budget(-1, 0)).hasMessageContaining("-1");
        assertThatThrownBy(() -> retries.budget(1, Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> retries.largestAnswer(-1)).hasMessageContaining("-1");
    }

    private static CallState state(RetryPolicy retries) {
        return new CallState("key", retries, new RetryBudget(100, 0), new ManualTime(), false);
    }
}
