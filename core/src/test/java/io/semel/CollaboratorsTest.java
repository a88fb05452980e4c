// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.memory.MemoryStore;
import io.semel.seal.Seal;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Seals, hooks, listeners and stores that throw what they may not: every attempt ends, and no key is held for ever. */
class CollaboratorsTest {

    private static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    private static final Codec<String> UTF8 = Codec.utf8();
    private static final Seal BROKEN = new Seal() {
        @Override
        public byte[] seal(byte[] plain, byte[] context) {
            throw new IllegalStateException("the key store is down");
        }

        @Override
        public byte[] open(byte[] sealed, byte[] context) {
            throw new IllegalStateException("the key store is down");
        }
    };

    private final MemoryStore store = new MemoryStore();
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Engine engine = Engine.on(store).withListener(events::add);

    @Test
    void aRejectionThatCannotBeSealedIsNotRetainedAndReachesItsCaller() {
        Rejection rejection = new Rejection("no-funds", "0");

        assertThatThrownBy(() -> engine.withSeal(BROKEN).run(CALL, UTF8, attempt -> {
                    throw rejection;
                }))
                .isSameAs(rejection);
        assertEnded();
        assertThat(engine.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
    }

    @Test
    void anAnswerOfAHookThatCannotBeSealedIsNotRetained() throws Exception {
        vanish();
        Operation asking = Operation.named("pay")
                .whenAbandoned(WhenAbandoned.reconcile(
                        (call, attempt) -> WhenAbandoned.Verdict.happened(UTF8, "it happened")));

        assertThat(engine.withSeal(BROKEN).with(asking).run(CALL, UTF8, attempt -> "again"))
                .isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        assertEnded();
    }

    @Test
    void aHookThatThrowsACheckedExceptionLeavesTheKeyAbandoned() throws Exception {
        vanish();
        Operation asking = Operation.named("pay").whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
            throw CollaboratorsTest.<RuntimeException>sneaky(new IOException("the bank is down"));
        }));

        assertThatThrownBy(() -> engine.with(asking).run(CALL, UTF8, attempt -> "again"))
                .isInstanceOf(IOException.class);
        assertEnded();
        assertThat(store.look(CALL.key()).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void anErrorOfAStoreThatIsToldOfManyEndsAllOfThem() {
        Store failing = new Delegating(store) {
            @Override
            public List<Boolean> settleAll(List<Settling> settlings) {
                throw new StackOverflowError("simulated");
            }
        };
        Engine other = Engine.on(failing);
        Begun.Started<String> started = (Begun.Started<String>) other.begin(CALL, UTF8);

        var done = Begun.Started.completeAll(List.of(new Begun.Completing<>(started, "paid")), Runnable::run);

        assertThat(done.get(0).join()).isEqualTo(new Outcome.Done<>("paid", false));
        assertThat(other.holds(CALL.key())).isFalse();
    }

    @Test
    void aHandlerOfUncaughtExceptionsThatThrowsTouchesNoAttempt() throws Exception {
        Engine told = engine.with(Operation.named("pay").keepAnswersUpTo(2)).withListener(event -> {
            throw new IllegalStateException("the listener");
        });
        List<Outcome<String>> answers = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(() -> answers.add(told.run(CALL, UTF8, attempt -> "too large")));
        thread.setUncaughtExceptionHandler((any, thrown) -> {
            throw new IllegalStateException("the handler");
        });
        thread.start();
        thread.join();

        assertThat(answers).containsExactly(new Outcome.Done<>("too large", false));
        assertEnded();
    }

    @Test
    void aClockThatFailsWhenAnAttemptEndsLeavesItToItsLease() {
        boolean[] fails = {false};
        Time system = Time.system();
        Time failing = new Time() {
            @Override
            public long nanos() {
                if (fails[0]) {
                    throw new IllegalStateException("the clock");
                }
                return system.nanos();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                system.sleep(duration);
            }

            @Override
            public boolean await(java.util.concurrent.CompletableFuture<?> future, Duration atMost)
                    throws InterruptedException {
                return system.await(future, atMost);
            }

            @Override
            public void schedule(Duration delay, Runnable task) {
                system.schedule(delay, task);
            }
        };
        Engine watched = Engine.on(store, failing);
        Begun.Started<String> completed = (Begun.Started<String>) watched.begin(CALL, UTF8);
        Call other = Call.of(Key.of("payments", "order-18"), CALL.fingerprint());
        Begun.Started<String> rejected = (Begun.Started<String>) watched.begin(other, UTF8);
        fails[0] = true;

        assertThatThrownBy(() -> completed.complete("paid")).hasMessage("the clock");
        assertThatThrownBy(() -> rejected.reject(new Rejection("no-funds", "0")))
                .hasMessage("the clock");
        assertThat(watched.holds(CALL.key())).isFalse();
        assertThat(watched.holds(other.key())).isFalse();
    }

    @Test
    void aTimeThatCannotScheduleEndsTheAttemptAndTheNextOneIsWatched() {
        Time system = Time.system();
        boolean[] fails = {true};
        Time failing = new Time() {
            @Override
            public long nanos() {
                return system.nanos();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                system.sleep(duration);
            }

            @Override
            public boolean await(java.util.concurrent.CompletableFuture<?> future, Duration atMost)
                    throws InterruptedException {
                return system.await(future, atMost);
            }

            @Override
            public void schedule(Duration delay, Runnable task) {
                if (fails[0]) {
                    throw new OutOfMemoryError("simulated: no thread could be made");
                }
                system.schedule(delay, task);
            }
        };
        Engine watched = Engine.on(store, failing).with(Operation.named("pay").lease(Duration.ofSeconds(5)));

        assertThatThrownBy(() -> watched.begin(CALL, UTF8)).isInstanceOf(OutOfMemoryError.class);
        assertThat(watched.holds(CALL.key())).isFalse();

        fails[0] = false;
        Call other = Call.of(Key.of("payments", "order-18"), CALL.fingerprint());
        Begun.Started<String> started = (Begun.Started<String>) watched.begin(other, UTF8);
        Duration left = store.look(other.key()).orElseThrow().remaining();
        Duration now = left;
        for (long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                now.compareTo(left) <= 0 && System.nanoTime() < end;
                now = store.look(other.key()).orElseThrow().remaining()) {
            left = now;
            Thread.onSpinWait();
        }
        assertThat(now).as("renewed").isGreaterThan(left);
        started.complete("done");
    }

    @Test
    void aRejectionLargerThanAnswersMayBeIsNotRetained() {
        Engine small = engine.with(Operation.named("pay").keepAnswersUpTo(100));
        Rejection large = new Rejection("no", "x".repeat(200));

        assertThatThrownBy(() -> small.run(CALL, UTF8, attempt -> {
                    throw large;
                }))
                .isSameAs(large);
        assertThat(small.run(CALL, UTF8, attempt -> "again")).isEqualTo(new Refused<>(Reason.NOT_RETAINED));
        byte[] stored = store.look(CALL.key()).orElseThrow().result();
        assertThat(new Settlement.Complete(stored, Retention.DEFAULT).rejects()).isTrue();
    }

    @Test
    void anExceptionNamesTheOperationAndTheKey() {
        engine.begin(CALL, UTF8);

        assertThatThrownBy(() -> engine.with(Operation.named("pay"))
                        .run(CALL, UTF8, attempt -> "again")
                        .orThrow())
                .isInstanceOfSatisfying(NotDone.class, e -> {
                    assertThat(e.operation()).isEqualTo("pay");
                    assertThat(e.key()).isEqualTo(CALL.key());
                })
                .hasMessageContaining("payments/order-17")
                .hasMessageContaining("'pay'");
    }

    @Test
    void aDuplicateThatAsksAgainByItselfIsToldBusyOnce() {
        Begun.Started<String> first = (Begun.Started<String>) engine.begin(CALL, UTF8);

        engine.begin(CALL.polling(Duration.ZERO, false), UTF8);
        engine.begin(CALL.polling(Duration.ofMillis(5), false), UTF8);
        assertThat(events).noneMatch(Event.WasBusy.class::isInstance);
        engine.begin(CALL.polling(Duration.ofMillis(15), true), UTF8);
        assertThat(events)
                .filteredOn(Event.WasBusy.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((Event.WasBusy) event).waited()).isGreaterThanOrEqualTo(Duration.ofMillis(15)));

        first.complete("done");
        engine.begin(CALL.polling(Duration.ofMillis(40), false), UTF8);
        assertThat(events)
                .filteredOn(Event.Replayed.class::isInstance)
                .singleElement()
                .satisfies(
                        event -> assertThat(((Event.Replayed) event).waited()).isEqualTo(Duration.ofMillis(40)));
    }

    @Test
    void aSweepReleasesWhatLapsedLongEnoughAgo() throws Exception {
        vanish();
        engine.begin(Call.of(Key.of("payments", "running"), CALL.fingerprint()), UTF8);
        Operator operator = engine.operator("eve");

        assertThat(operator.sweep(Inspectable.View.IN_FLIGHT, Duration.ofDays(1), null, 10, operator::release)
                        .results())
                .isEmpty();
        assertThat(operator.sweep(Inspectable.View.IN_FLIGHT, Duration.ZERO, null, 10, operator::release)
                        .results())
                .containsOnly(java.util.Map.entry(Operator.Result.APPLIED, 1));
        assertThat(store.peek(CALL.key())).isEmpty();
        assertThat(store.count().held()).isEqualTo(1);
    }

    private void vanish() throws InterruptedException {
        store.claim(CALL, "a holder that vanishes", Duration.ofMillis(1));
        while (store.look(CALL.key()).orElseThrow().state() != Slot.State.LAPSED) {
            Thread.sleep(1);
        }
    }

    private void assertEnded() {
        assertThat(engine.holds(CALL.key())).isFalse();
        assertThat(store.look(CALL.key()).orElseThrow().state()).isNotEqualTo(Slot.State.HELD);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    /** A store that asks another. */
    private static class Delegating implements Store {

        private final Store store;

        Delegating(Store store) {
            this.store = store;
        }

        @Override
        public Level level() {
            return store.level();
        }

        @Override
        public java.time.Instant now() {
            return store.now();
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return store.claim(call, holder, lease);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return store.settle(key, holder, fence, settlement);
        }

        @Override
        public java.util.Optional<Claim> peek(Key key) {
            return store.peek(key);
        }
    }
}
