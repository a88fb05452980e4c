// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final List<String> seen = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void timeStandsStillUntilItIsAdvanced() {
        long before = time.nanos();
        assertThat(time.nanos()).isEqualTo(before);
        time.advance(SECOND);
        assertThat(time.nanos() - before).isEqualTo(SECOND.toNanos());
    }

    @Test
    void timeDoesNotGoBackwards() {
        assertThatThrownBy(() -> time.advance(SECOND.negated())).hasMessageContaining("backwards");
        assertThatThrownBy(() -> time.pause(SECOND.negated())).hasMessageContaining("backwards");
    }

    @Test
    void advancingStopsAtEveryTaskInTheOrderOfTheirTimes() {
        time.schedule(SECOND.multipliedBy(2), () -> note("two"));
        time.schedule(SECOND, () -> note("one"));
        time.schedule(SECOND.multipliedBy(9), () -> note("nine"));
        time.advance(SECOND.multipliedBy(3));
        assertThat(seen).containsExactly("one at 1", "two at 2");
        assertThat(time.nanos()).isEqualTo(SECOND.multipliedBy(3).toNanos());
    }

    @Test
    void tasksOfOneMomentRunInTheOrderTheyWereScheduledIn() {
        for (int i = 0; i < 20; i++) {
            String name = "task " + i;
            time.schedule(SECOND, () -> note(name));
        }
        time.advance(SECOND);
        assertThat(seen).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(seen.get(i)).isEqualTo("task " + i + " at 1");
        }
    }

    @Test
    void aTaskThatSchedulesAnotherOneIsFollowedByItInTheSameAdvance() {
        time.schedule(SECOND, () -> time.schedule(SECOND, () -> note("later")));
        time.advance(SECOND.multipliedBy(2));
        assertThat(seen).containsExactly("later at 2");
    }

    @Test
    void aPauseRunsNothingAndTheNextAdvanceCatchesUp() {
        time.schedule(SECOND, () -> note("beat"));
        time.pause(SECOND.multipliedBy(5));
        assertThat(seen).isEmpty();
        time.advance(Duration.ZERO);
        assertThat(seen).containsExactly("beat at 5");
    }

    @Test
    void aSleepPassesAtOnceAndRunsWhatFallsDueOnTheWay() throws InterruptedException {
        time.schedule(SECOND, () -> note("beat"));
        time.sleep(SECOND.multipliedBy(4));
        assertThat(seen).containsExactly("beat at 1");
        assertThat(time.nanos()).isEqualTo(SECOND.multipliedBy(4).toNanos());
    }

    @Test
    void anInterruptedThreadDoesNotSleep() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> time.sleep(SECOND)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(time.nanos()).isZero();
    }

    @Test
    void aTaskThatThrowsStopsNeitherTheClockNorTheOthersAndIsHeardOf() {
        RuntimeException first = new IllegalStateException("first");
        time.schedule(SECOND, () -> {
            throw first;
        });
        time.schedule(SECOND, () -> {
            throw new AssertionError("second");
        });
        time.schedule(SECOND, () -> note("third"));
        assertThatThrownBy(() -> time.advance(SECOND.multipliedBy(2))).isSameAs(first);
        assertThat(first.getSuppressed())
                .singleElement()
                .satisfies(e -> assertThat(e).hasMessage("second"));
        assertThat(seen).containsExactly("third at 1");
        assertThat(time.nanos()).isEqualTo(SECOND.multipliedBy(2).toNanos());
    }

    @Test
    void aWaitEndsWithItsFuture() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Future<Boolean> waiter = threads.submit(() -> time.await(future, SECOND));
        time.untilWaiting(1);
        future.complete("done");
        assertThat(waiter.get()).isTrue();
    }

    @Test
    void aWaitForAFutureThatFailsEndsToo() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        Future<Boolean> waiter = threads.submit(() -> time.await(future, SECOND));
        time.untilWaiting(1);
        future.completeExceptionally(new IllegalStateException("failed"));
        assertThat(waiter.get()).isTrue();
    }

    @Test
    void aWaitEndsWhenItsTimeHasPassed() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        Future<Boolean> waiter = threads.submit(() -> time.await(never, SECOND.multipliedBy(2)));
        time.untilWaiting(1);
        time.advance(SECOND);
        assertThat(waiter.isDone()).isFalse();
        time.advance(SECOND);
        assertThat(waiter.get()).isFalse();
    }

    @Test
    void aWaitOfNoTimeOnlyLooks() throws InterruptedException {
        assertThat(time.await(new CompletableFuture<>(), Duration.ZERO)).isFalse();
        assertThat(time.await(CompletableFuture.completedFuture("done"), Duration.ZERO))
                .isTrue();
    }

    @Test
    void jitterIsNoChance() {
        assertThat(time.jitter()).isEqualTo(1);
    }

    private void note(String what) {
        seen.add(what + " at " + Duration.ofNanos(time.nanos()).toSeconds());
    }
}
