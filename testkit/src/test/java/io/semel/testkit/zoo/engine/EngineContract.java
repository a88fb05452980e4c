// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Busy;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ForwardingTime;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.CrashPoint;
import io.semel.testkit.fault.FlakyStore;
import io.semel.testkit.internal.laws.Law;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules E1 to E13, one by one, on an engine that may be wrong. */
@Timeout(120)
abstract class EngineContract {

    static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    static final Codec<String> UTF8 = Codec.utf8();
    static final Call CALL = Call.of(Key.of("payments", "order-17"), Fingerprint.of("500 EUR"));
    static final Operation PAY = Operation.named("pay").lease(LEASE);

    final ManualTime time = new ManualTime();
    final MemoryStore memory = new MemoryStore(1 << 20, time);
    final List<Event> events = new CopyOnWriteArrayList<>();
    private int runs;

    /** The engine under test is wrong in whatever this changes. */
    abstract Wrong wrong();

    @Test
    @Law("E1")
    void aMismatchComesFirstWhateverStateTheSlotIsIn() {
        Call other = Call.of(CALL.key(), Fingerprint.of("900 EUR"));
        Begun.Started<String> held = begin(PAY);
        assertRefused(Reason.MISMATCH, run(PAY, other));
        held.complete("done");

        assertRefused(Reason.MISMATCH, run(PAY, other));
    }

    @Test
    @Law("E2")
    void returningRecordsThrowingForgets() {
        assertThatThrownBy(() -> engine(memory, PAY).run(CALL, UTF8, attempt -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(run(PAY, CALL)).isEqualTo(new Done<>("run 1", false));

        assertThat(run(PAY, CALL)).isEqualTo(new Done<>("run 1", true));
    }

    @Test
    @Law("E2")
    void aRejectionIsAnAnswer() {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> engine(memory, PAY).run(CALL, UTF8, attempt -> {
                        runs++;
                        throw new Rejection("NO", "money");
                    }))
                    .isInstanceOf(Rejection.class);
        }
        assertThat(runs).isEqualTo(1);
    }

    @Test
    @Law("E3")
    void theUsersExceptionWinsOverWhatGoesWrongAfterwards() {
        Store failing = failing(Settlement.Release.class, new StoreException("down", null));
        IllegalStateException users = new IllegalStateException("no");

        assertThatThrownBy(() -> wrong().run(engine(failing, PAY), CALL, attempt -> {
                    throw users;
                }))
                .isSameAs(users)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).isNotEmpty());
    }

    @Test
    @Law("E4")
    void afterWorkHasReturnedTheKeyNeverBecomesFree() {
        Operation small = PAY.keepAnswersUpTo(2);
        run(small, CALL);

        assertRefused(Reason.NOT_RETAINED, run(small, CALL));
        assertThat(runs).isEqualTo(1);
    }

    @Test
    @Law("E5")
    void aSettleThatComesTooLateThrowsLeaseLost() {
        Begun.Started<String> zombie = begin(PAY);
        time.pause(LEASE);
        Engine.on(memory, time).with(PAY.whenAbandoned(WhenAbandoned.rerun())).run(CALL, UTF8, attempt -> "other");

        assertThatThrownBy(() -> zombie.complete("late")).isInstanceOf(LeaseLost.class);
    }

    @Test
    @Law("E5")
    void aSettleThatNobodyConfirmsIsUnknown() {
        Store failing = failing(Settlement.Complete.class, new StoreException("down", null));

        assertThatThrownBy(() -> engine(failing, PAY).run(CALL, UTF8, attempt -> "done"))
                .isInstanceOf(OutcomeUnknown.class);
    }

    @Test
    @Law("E6")
    void aClaimThatFailsIsRepeatedByTheSameHolder() {
        ClaimsFail failing = new ClaimsFail(memory, 1);

        assertThat(engine(failing, PAY).run(CALL, UTF8, attempt -> "done")).isEqualTo(new Done<>("done", false));
        assertThat(failing.holders).hasSize(2).containsOnly(failing.holders.get(0));
    }

    @Test
    @Law("E6")
    void aClaimThatFailsTwiceRunsNothing() {
        assertThatThrownBy(() -> engine(new ClaimsFail(memory, 2), PAY).run(CALL, UTF8, attempt -> count()))
                .isInstanceOf(StoreException.class);
        assertThat(runs).isZero();
    }

    @Test
    @Law("E7")
    void leasesAreRenewedWhileWorkRuns() {
        begin(PAY);
        for (int i = 0; i < 20; i++) {
            time.advance(LEASE.dividedBy(4));
            assertThat(slot().state()).isEqualTo(Slot.State.HELD);
        }
    }

    @Test
    @Law("E7")
    void aRenewalThatHangsCostsNobodyTheirLease() throws Exception {
        FlakyStore flaky = FlakyStore.on(memory, time);
        Threads threads = new Threads(time);
        Engine engine = Engine.on(wrong().store(flaky), wrong().time(threads)).with(wrong().operation(PAY));
        engine.begin(CALL, UTF8);
        Call other = Call.of(Key.of("payments", "order-18"), Fingerprint.none());
        engine.begin(other, UTF8);
        CountDownLatch released = flaky.next(CrashPoint.BEFORE_RENEW).hangs();

        try {
            advanceByAThird();
            awaitUntil(() -> flaky.pending() == 0);
            for (int thirds = 2; thirds <= 6; thirds++) {
                advanceByAThird();
                awaitUntil(() -> threads.busy() == 1);
            }
            assertThat(slot().state()).isEqualTo(Slot.State.HELD);
            assertThat(memory.look(other.key()).orElseThrow().state()).isEqualTo(Slot.State.HELD);
        } finally {
            released.countDown();
        }
    }

    /** A timer that waits for what hangs would not come back. */
    private void advanceByAThird() throws Exception {
        FutureTask<?> advancing = new FutureTask<>(() -> time.advance(LEASE.dividedBy(3)), null);
        new Thread(advancing).start();
        advancing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void awaitUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("too late").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    @Law("E8")
    void anAbandonedCallIsRefusedAsUnknownUnlessItsPolicySaysOtherwise() {
        memory.claim(CALL, "a holder that vanishes", LEASE);
        time.advance(LEASE);

        assertRefused(Reason.UNKNOWN, run(PAY, CALL));
        assertThat(runs).isZero();
    }

    @Test
    @Law("E9")
    void aDuplicateInTheSameProcessWaitsForTheRunningCall() throws Exception {
        CompletableFuture<Boolean> waits = new CompletableFuture<>();
        Engine engine = Engine.on(wrong().store(memory), wrong().time(new ForwardingTime(time) {
                    @Override
                    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
                        waits.complete(true);
                        return super.await(future, atMost);
                    }
                }))
                .with(wrong().operation(PAY.waitWhenBusy(Duration.ofHours(1))));
        Begun.Started<String> first = (Begun.Started<String>) engine.begin(CALL, UTF8);
        CompletableFuture<Outcome<String>> duplicate =
                CompletableFuture.supplyAsync(() -> engine.run(CALL, UTF8, attempt -> count()));
        CompletableFuture.anyOf(waits, duplicate).get(60, TimeUnit.SECONDS);
        first.complete("first");

        assertThat(duplicate.get(60, TimeUnit.SECONDS)).isEqualTo(new Done<>("first", true));
    }

    @Test
    @Law("E10")
    void aDatedKeyThatIsOlderThanRetentionAndUnknownIsGone() {
        Operation brief = PAY.retention(Duration.ofHours(1), Duration.ofHours(1));
        Instant longAgo = memory.now().minus(Duration.ofDays(1));

        assertRefused(Reason.GONE, run(brief, CALL.firstSentAt(longAgo)));
        assertThat(runs).isZero();
    }

    @Test
    @Law("E10")
    void aDatedKeyDoesNotRunAgainAfterTheMachineWasSuspended() {
        Engine suspended = suspended();
        Call dated = CALL.firstSentAt(memory.now());
        suspended.run(dated, UTF8, attempt -> count());
        time.advance(Duration.ofHours(2));

        assertRefused(Reason.GONE, suspended.run(dated, UTF8, attempt -> count()));
        assertThat(runs).isEqualTo(1);
    }

    @Test
    @Law("E10")
    void aKeyOfTodayIsNotTakenForOneFromTheFutureAfterTheMachineWasSuspended() {
        Engine suspended = suspended();
        suspended.run(CALL.firstSentAt(memory.now()), UTF8, attempt -> count());
        time.advance(Duration.ofHours(2));
        Call fresh = Call.of(Key.of("payments", "order-18"), Fingerprint.none()).firstSentAt(memory.now());

        assertThat(suspended.run(fresh, UTF8, attempt -> count())).isEqualTo(new Done<>("run 2", false));
    }

    /** An engine for whose machine no time passes, while it does for the store. */
    private Engine suspended() {
        return Engine.on(wrong().store(memory), wrong().time(new ManualTime()))
                .with(wrong().operation(PAY.retention(Duration.ofHours(1), Duration.ZERO)));
    }

    @Test
    @Law("E11")
    void anAnswerThatNobodyCanReadIsNotRetainedAndTold() {
        run(PAY, CALL);

        Outcome<String> outcome = engine(memory, PAY).run(CALL, wrong().codec(new Unreadable()), attempt -> count());

        assertRefused(Reason.NOT_RETAINED, outcome);
        assertThat(events).hasAtLeastOneElementOfType(Event.Unreadable.class);
    }

    @Test
    @Law("E12")
    void anAttemptWhoseHookThrowsIsGivenUp() {
        memory.claim(CALL, "a holder that vanishes", LEASE);
        time.advance(LEASE);
        Operation reconciled = PAY.whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
            throw new IllegalStateException("hook");
        }));

        assertThatThrownBy(() -> run(reconciled, CALL)).hasMessage("hook");
        time.advance(LEASE.multipliedBy(2));
        assertThat(slot().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    @Law("E12")
    void anAttemptThatNobodyEndsIsGivenUp() {
        begin(PAY.renewFor(LEASE.multipliedBy(4)));

        time.advance(LEASE.multipliedBy(6));
        assertThat(slot().state()).isEqualTo(Slot.State.LAPSED);
        assertThat(events).hasAtLeastOneElementOfType(Event.Overdue.class);
    }

    @Test
    @Law("E13")
    void aDuplicateIsToldBusyOnce() {
        begin(PAY);

        assertThat(run(PAY, CALL)).isInstanceOf(Busy.class);
        assertThat(events.stream().filter(Event.WasBusy.class::isInstance)).hasSize(1);
    }

    Engine engine(Store store, Operation operation) {
        return Engine.on(wrong().store(store), wrong().time(time))
                .withListener(wrong().listener(events::add))
                .with(wrong().operation(operation));
    }

    private Begun.Started<String> begin(Operation operation) {
        return (Begun.Started<String>) engine(memory, operation).begin(CALL, UTF8);
    }

    private Outcome<String> run(Operation operation, Call call) {
        return engine(memory, operation).run(call, UTF8, attempt -> count());
    }

    private String count() {
        return "run " + ++runs;
    }

    private Slot slot() {
        return memory.look(CALL.key()).orElseThrow();
    }

    private static void assertRefused(Reason reason, Outcome<String> outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }

    private Store failing(Class<? extends Settlement> kind, StoreException failure) {
        return new ForwardingStore(memory) {
            @Override
            public boolean settle(Key key, String holder, long fence, Settlement settlement) {
                if (kind.isInstance(settlement)) {
                    throw failure;
                }
                return super.settle(key, holder, fence, settlement);
            }
        };
    }

    /** The first claims are obeyed, and their answers lost. */
    private static final class ClaimsFail extends ForwardingStore {

        private final List<String> holders = new CopyOnWriteArrayList<>();
        private final int failures;

        ClaimsFail(Store store, int failures) {
            super(store);
            this.failures = failures;
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            holders.add(holder);
            Claim claim = super.claim(call, holder, lease);
            if (holders.size() <= failures) {
                throw new StoreException("The answer is lost.", null);
            }
            return claim;
        }
    }

    /** Time of the test's own, with threads of the system for what may hang. */
    private static final class Threads extends ForwardingTime {

        private final Time system = Time.system();
        private final AtomicInteger busy = new AtomicInteger();

        Threads(Time time) {
            super(time);
        }

        int busy() {
            return busy.get();
        }

        @Override
        public Runnable execute(Runnable task) {
            busy.incrementAndGet();
            return system.execute(() -> {
                try {
                    task.run();
                } finally {
                    busy.decrementAndGet();
                }
            });
        }
    }

    /** Reads nothing that it has written. */
    private static final class Unreadable implements Codec<String> {

        @Override
        public byte[] encode(String value) {
            return UTF8.encode(value);
        }

        @Override
        public String decode(byte[] bytes) {
            throw new IllegalArgumentException("unreadable");
        }

        @Override
        public String form() {
            return UTF8.form();
        }
    }
}
