// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.store.Purgeable;
import io.semel.store.Purger;
import io.semel.testkit.ManualTime;
import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PurgerTest {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final List<String> news = new ArrayList<>();
    private final Purger.Watcher watcher = new Purger.Watcher() {
        @Override
        public void failed(Throwable cause) {
            news.add(cause.getMessage());
        }

        @Override
        public void recovered() {
            news.add("recovered");
        }
    };

    @Test
    void purgingKeepsUpWithARateThatItsOwnPausesWouldNotAllow() {
        BusyStore store = new BusyStore(5_000, Duration.ofMillis(100));
        store.serve(Duration.ofMinutes(60), purger(store));
        assertThat(store.mostExpired).as("after half the time").isLessThan(3 * 5_000 * INTERVAL.toSeconds());
    }

    @Test
    void purgingLeavesMostOfTheTimeToOthersWhereThatIsEnough() {
        BusyStore store = new BusyStore(1_000, Duration.ofMillis(100));
        store.serve(Duration.ofMinutes(60), purger(store));
        assertThat(store.mostExpired).isLessThan(3 * 1_000 * INTERVAL.toSeconds());
        assertThat(store.longestWithoutPause).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aBacklogOfAYearIsWorkedOffInOneRound() {
        BusyStore store = new BusyStore(10, Duration.ofMillis(10));
        store.expired = 2_000_000;
        store.serve(Duration.ofMinutes(4), purger(store));
        assertThat(store.expired).isLessThan(1000);
        assertThat(store.purger.behind()).isZero();
        assertThat(store.purger.purged()).isGreaterThan(2_000_000);
    }

    @Test
    void whoIsBehindSaysForHowLong() {
        BusyStore store = new BusyStore(50_000, Duration.ofMillis(100));
        store.serve(Duration.ofMinutes(10), purger(store));
        assertThat(store.purger.behind()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    }

    private Function<Time, Purger> purger(Purgeable store) {
        return time -> new Purger(store, INTERVAL, Purger.BATCH, watcher, time);
    }

    @Test
    void failuresAreToldOnceAndSoIsTheirEnd() throws InterruptedException {
        SynchronousQueue<RuntimeException> outcomes = new SynchronousQueue<>();
        ManualTime time = new ManualTime();
        Purgeable store = limit -> {
            RuntimeException failure = take(outcomes);
            if (failure.getMessage().equals("fine")) {
                return 0;
            }
            throw failure;
        };
        try (Purger purger = new Purger(store, INTERVAL, 10, watcher, time)) {
            purger.start();
            for (String each : List.of("down", "still down", "fine", "fine", "down again", "fine")) {
                time.untilWaiting(1);
                time.advance(INTERVAL);
                outcomes.put(new IllegalStateException(each));
            }
            time.untilWaiting(1);
            assertThat(news).containsExactly("down", "recovered", "down again", "recovered");
            assertThat(purger.failures()).isEqualTo(3);
        }
    }

    @Test
    void neitherAnErrorNorAWatcherThatThrowsEndsIt() throws InterruptedException {
        SynchronousQueue<String> calls = new SynchronousQueue<>();
        ManualTime time = new ManualTime();
        Purger.Watcher throwing = new Purger.Watcher() {
            @Override
            public void failed(Throwable cause) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> news.add(e.getMessage()));
                throw new IllegalStateException("the watcher failed");
            }

            @Override
            public void recovered() {}
        };
        Purgeable store = limit -> {
            take(calls);
            throw new NoClassDefFoundError("not there");
        };
        try (Purger purger = new Purger(store, INTERVAL, 10, throwing, time)) {
            purger.start();
            for (int i = 0; i < 3; i++) {
                time.untilWaiting(1);
                time.advance(INTERVAL);
                calls.put("go on");
            }
            time.untilWaiting(1);
            assertThat(purger.failures()).isEqualTo(3);
            assertThat(news).containsExactly("the watcher failed");
        }
    }

    @Test
    void aStoreThatBlocksHoldsUpNobodyElsesPurge() throws InterruptedException {
        ManualTime time = new ManualTime();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        Purger stuck = new Purger(
                limit -> {
                    blocked.countDown();
                    await(never);
                    return 0;
                },
                INTERVAL,
                10,
                watcher,
                time);
        Purger well = new Purger(
                limit -> {
                    await(blocked);
                    others.countDown();
                    return 0;
                },
                INTERVAL,
                10,
                watcher,
                time);
        try (stuck;
                well) {
            stuck.start();
            well.start();
            time.untilWaiting(2);
            time.advance(INTERVAL);
            others.await();
            never.countDown();
        }
    }

    @Test
    void closingWaitsForTheBatchUnderWayAndHearsNoFailureOfIt() throws InterruptedException {
        ManualTime time = new ManualTime();
        CountDownLatch under = new CountDownLatch(1);
        SynchronousQueue<RuntimeException> outcomes = new SynchronousQueue<>();
        Purger purger = new Purger(
                limit -> {
                    under.countDown();
                    throw take(outcomes);
                },
                INTERVAL,
                10,
                watcher,
                time);
        purger.start();
        time.untilWaiting(1);
        time.advance(INTERVAL);
        under.await();
        Thread closing = new Thread(purger::close);
        closing.start();
        time.untilWaiting(1);
        outcomes.put(new IllegalStateException("closed under it"));
        closing.join();
        assertThat(purger.failures()).isOne();
        assertThat(news).isEmpty();
        assertThat(purger.isRunning()).isFalse();
    }

    @Test
    void closingDoesNotWaitForABlockedStoreForLong() throws InterruptedException {
        ManualTime time = new ManualTime();
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Purger purger = new Purger(
                limit -> {
                    under.countDown();
                    await(never);
                    return 0;
                },
                INTERVAL,
                10,
                watcher,
                time);
        purger.start();
        time.untilWaiting(1);
        time.advance(INTERVAL);
        under.await();
        Thread closing = new Thread(purger::close);
        closing.start();
        time.untilWaiting(1);
        time.advance(Duration.ofSeconds(5));
        closing.join();
        never.countDown();
    }

    @Test
    void itCanBeStartedAgain() throws InterruptedException {
        ManualTime time = new ManualTime();
        SynchronousQueue<String> calls = new SynchronousQueue<>();
        Purger purger = new Purger(limit -> take(calls).length(), INTERVAL, 10, watcher, time);
        for (int i = 0; i < 2; i++) {
            purger.start();
            purger.start();
            time.untilWaiting(1);
            time.advance(INTERVAL);
            calls.put("three");
            purger.close();
        }
        assertThat(purger.purged()).isEqualTo(10);
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Purger(limit -> 0, Duration.ZERO, 1, watcher))
                .hasMessageContaining("an interval above zero");
        assertThatThrownBy(() -> new Purger(limit -> 0, INTERVAL, 0, watcher)).hasMessageContaining("not PT10S and 0");
    }

    private static <T> T take(SynchronousQueue<T> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store in which records expire at a rate, and whose purges take their time; a pause passes at once. */
    private static final class BusyStore implements Purgeable {

        private final ManualTime time = new ManualTime();
        private final double perNano;
        private final Duration batchTakes;
        private final CompletableFuture<Void> served = new CompletableFuture<>();
        private Purger purger;
        private long expired;
        private long counted;
        private long mostExpired;
        private long busySince;
        private Duration longestWithoutPause = Duration.ZERO;
        private Duration end;

        BusyStore(long perSecond, Duration batchTakes) {
            this.perNano = perSecond / 1e9;
            this.batchTakes = batchTakes;
        }

        void serve(Duration span, Function<Time, Purger> making) {
            end = span;
            purger = making.apply(new PassingTime());
            purger.start();
            served.join();
            purger.close();
        }

        @Override
        public int purge(int limit) {
            expire();
            time.pause(batchTakes);
            int dropped = (int) Math.min(limit, expired);
            expired -= dropped;
            return dropped;
        }

        private void expire() {
            long now = (long) (time.nanos() * perNano);
            expired += now - counted;
            counted = now;
            if (time.nanos() > end.toNanos() / 2) {
                mostExpired = Math.max(mostExpired, expired);
            }
        }

        private final class PassingTime implements Time {

            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                time.sleep(duration);
            }

            @Override
            public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
                if (time.nanos() >= end.toNanos()) {
                    served.complete(null);
                    return time.await(future, atMost);
                }
                if (!atMost.minus(batchTakes).isNegative()) {
                    Duration busy = Duration.ofNanos(time.nanos() - busySince);
                    longestWithoutPause = busy.compareTo(longestWithoutPause) > 0 ? busy : longestWithoutPause;
                    busySince = time.nanos() + atMost.toNanos();
                }
                time.pause(atMost);
                return future.isDone();
            }

            @Override
            public void schedule(Duration delay, Runnable task) {
                throw new UnsupportedOperationException();
            }
        }
    }
}
