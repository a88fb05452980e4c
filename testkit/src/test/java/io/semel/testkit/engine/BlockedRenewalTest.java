// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.memory.MemoryStore;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ForwardingTime;
import io.semel.testkit.ManualTime;
import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many timers renewals take, and what one that blocks costs the others: on threads of the system, by a time of the test's own. */
@Timeout(120)
class BlockedRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int THREADS = 64;
    private static final int CALLS = 100;
    private static final Codec<String> UTF8 = Codec.utf8();

    private final ManualTime time = new ManualTime();
    private final MemoryStore memory = new MemoryStore(1 << 24, time);
    private final Calls calls = new Calls();
    private final BlockingOn blocking = new BlockingOn(memory, "blocked", calls);
    private final Counts events = new Counts();

    @Test
    void oneEngineHasOneTimerHoweverManyAttemptsComeAndGo() throws Exception {
        CountedTimers timers = new CountedTimers(time);
        Engine engine = Engine.on(memory, timers).with(Operation.named("short").lease(Duration.ofMillis(60)));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int number = thread;
                all.add(threads.submit(() -> callManyTimes(engine, number)));
            }
            while (!all.stream().allMatch(Future::isDone)) {
                time.advance(Duration.ofMillis(1));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(timers.beats).as("timers that rang").hasValueGreaterThan(10);
        assertThat(timers.most).hasValueLessThanOrEqualTo(2);
    }

    /** Each of them runs while some time passes. */
    private Void callManyTimes(Engine engine, int thread) throws InterruptedException {
        for (int i = 0; i < CALLS; i++) {
            engine.run(call(thread + "-" + i), UTF8, attempt -> {
                time.await(new CompletableFuture<>(), Duration.ofMillis(5));
                return "done";
            });
        }
        return null;
    }

    @Test
    void aKeyOnWhichTheStoreBlocksCostsNoOtherItsLease() throws Exception {
        Engine engine = engine().withListener(events::add);
        List<Begun.Started<String>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(begin(engine, "other-" + i));
        }
        begin(engine, "blocked");
        for (int i = 20; i < 40; i++) {
            others.add(begin(engine, "other-" + i));
        }

        advanceByAThird();
        assertThat(calls.hanging()).as("the renewal of all").isOne();
        for (int thirds = 2; thirds <= 9; thirds++) {
            advanceByAThird();
            assertRenewedJustNow(others);
        }
        assertThat(calls.mostHanging()).as("calls that hang at once").isLessThanOrEqualTo(2);
        assertThat(events.of(Event.LostLease.class)).isZero();
        assertThat(events.of(Event.RenewFailed.class)).isPositive();
        blocking.release.countDown();
        others.forEach(other -> other.complete("done"));
    }

    @Test
    void manyKeysOnWhichTheStoreBlocksCostNoOtherItsLease() throws Exception {
        Engine engine = engine();
        for (int i = 0; i < 100; i++) {
            begin(engine, "blocked-" + i);
        }
        Begun.Started<String> other = begin(engine, "other");

        advanceByAThird();
        for (int thirds = 2; thirds <= 9; thirds++) {
            advanceByAThird();
            assertRenewedJustNow(List.of(other));
        }
        assertThat(calls.mostHanging()).as("calls that hang at once").isGreaterThan(50);
        blocking.release.countDown();
        other.complete("done");
    }

    @Test
    void aRenewalThatHangsIsInterrupted() throws Exception {
        begin(engine(), "blocked");

        advanceByAThird();
        assertThat(blocking.interrupted).isNotDone();
        advanceByAThird();
        assertThat(blocking.interrupted.get(60, TimeUnit.SECONDS)).isTrue();
        blocking.release.countDown();
    }

    /** Lets a third of a lease pass, and what that sets going come back or hang. */
    private void advanceByAThird() throws InterruptedException {
        time.advance(LEASE.dividedBy(3));
        calls.awaitQuiet();
    }

    private void assertRenewedJustNow(List<Begun.Started<String>> others) {
        for (Begun.Started<String> other : others) {
            Key key = other.attempt().key();
            assertThat(memory.look(key).orElseThrow().remaining())
                    .as("lease of %s", key)
                    .isEqualTo(LEASE);
        }
    }

    private Engine engine() {
        return Engine.on(blocking, new OnThreads(time, calls))
                .with(Operation.named("pay").lease(LEASE));
    }

    private static Begun.Started<String> begin(Engine engine, String id) {
        return (Begun.Started<String>) engine.begin(call(id), UTF8);
    }

    private static Call call(String id) {
        return Call.of(Key.of("blocked", id), Fingerprint.none());
    }

    /** What runs on threads of the system, and how much of it hangs in the store. */
    private static final class Calls {

        private int busy;
        private int hanging;
        private int mostHanging;

        synchronized void busy(int more) {
            busy += more;
            notifyAll();
        }

        synchronized void hanging(int more) {
            hanging += more;
            mostHanging = Math.max(mostHanging, hanging);
            notifyAll();
        }

        synchronized int hanging() {
            return hanging;
        }

        synchronized int mostHanging() {
            return mostHanging;
        }

        synchronized void awaitQuiet() throws InterruptedException {
            while (busy != hanging) {
                wait();
            }
        }
    }

    /** Time of the test's own, but what may take long has threads of the system. */
    private static final class OnThreads extends ForwardingTime {

        private final Time system = Time.system();
        private final Calls calls;

        OnThreads(Time time, Calls calls) {
            super(time);
            this.calls = calls;
        }

        @Override
        public Runnable execute(Runnable task) {
            calls.busy(1);
            return system.execute(() -> {
                try {
                    task.run();
                } finally {
                    calls.busy(-1);
                }
            });
        }
    }

    /** Renewals of some keys do not come back before they are released. */
    private static final class BlockingOn extends ForwardingStore {

        private final String id;
        private final Calls calls;
        private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        private final CountDownLatch release = new CountDownLatch(1);

        BlockingOn(Store store, String id, Calls calls) {
            super(store);
            this.id = id;
            this.calls = calls;
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            if (key.id().startsWith(id) && settlement instanceof Settlement.Renew) {
                calls.hanging(1);
                awaitRelease();
                calls.hanging(-1);
            }
            return super.settle(key, holder, fence, settlement);
        }

        /** As a socket does: an interrupt is heard of, and changes nothing. */
        private void awaitRelease() {
            while (true) {
                try {
                    release.await();
                    return;
                } catch (InterruptedException e) {
                    interrupted.complete(true);
                }
            }
        }
    }

    /** Counts the timers that are pending. */
    private static final class CountedTimers extends ForwardingTime {

        private final AtomicInteger pending = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger beats = new AtomicInteger();

        CountedTimers(Time time) {
            super(time);
        }

        @Override
        public void schedule(Duration delay, Runnable task) {
            most.accumulateAndGet(pending.incrementAndGet(), Math::max);
            super.schedule(delay, () -> {
                pending.decrementAndGet();
                beats.incrementAndGet();
                task.run();
            });
        }
    }

    /** How many events of each kind there were. */
    private static final class Counts {

        private final ConcurrentHashMap<Class<?>, AtomicInteger> counts = new ConcurrentHashMap<>();

        void add(Event event) {
            counts.computeIfAbsent(event.getClass(), kind -> new AtomicInteger())
                    .incrementAndGet();
        }

        int of(Class<?> kind) {
            return counts.getOrDefault(kind, new AtomicInteger()).get();
        }
    }
}
