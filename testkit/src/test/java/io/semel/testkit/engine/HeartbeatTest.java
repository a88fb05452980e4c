// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.LeaseLost;
import io.semel.Operation;
import io.semel.Outcome.Busy;
import io.semel.Outcome.Done;
import io.semel.memory.MemoryStore;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.testkit.ForwardingTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class HeartbeatTest extends EngineFixture {

    @Test
    void workThatTakesTenLeasesKeepsItsSlot() {
        Begun.Started<String> started = begin(engine);

        for (int i = 0; i < 100; i++) {
            time.advance(LEASE.dividedBy(10));
            assertThat(elsewhere(RERUN).run(CALL, UTF8, this::countedRun)).isInstanceOf(Busy.class);
        }
        assertThat(started.complete("done")).isEqualTo(new Done<>("done", false));
        assertThat(runs).hasValue(0);
    }

    @Test
    void nothingIsRenewedOnceAnAttemptHasEnded() {
        begin(engine).complete("done");
        begin(engine.with(Operation.named("other")), "b").release();
        time.advance(LEASE.multipliedBy(10));

        assertThat(store.count().held() + store.count().lapsed()).isZero();
        assertThat(events(Event.LostLease.class)).isEmpty();
    }

    @Test
    void manyAttemptsWithDifferentLeasesAreAllRenewed() {
        List<Begun.Started<String>> all = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            all.add(begin(engine.with(Operation.named("n").lease(Duration.ofMillis(100 + i * 50L))), "k" + i));
        }
        time.advance(Duration.ofMinutes(2));

        assertThat(store.count().held()).isEqualTo(600);
        all.forEach(started -> started.complete("done"));
        assertThat(store.count().settled()).isEqualTo(600);
    }

    @Test
    void aPausedProcessThatWasTakenOverIsToldSoAndItsAnswerIsNotRecorded() {
        Begun.Started<String> zombie = begin(engine);
        time.pause(LEASE);
        long successor = takeOver();

        assertThatThrownBy(() -> zombie.complete("too late"))
                .isInstanceOf(LeaseLost.class)
                .hasMessageContaining("order-17");
        assertThat(successor).isGreaterThan(zombie.attempt().fence());
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
        assertThat(events(Event.LostLease.class)).hasSize(1);
    }

    @Test
    void aPausedProcessThatNobodyTookOverGoesOnAsIfNothingHadHappened() {
        Begun.Started<String> sleeper = begin(engine);
        time.pause(LEASE.multipliedBy(3));
        assertThat(store.look(CALL.key()).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);

        time.advance(Duration.ofMillis(1));
        assertThat(store.look(CALL.key()).orElseThrow().state()).isEqualTo(Slot.State.HELD);
        assertThat(sleeper.complete("late but unchallenged")).isEqualTo(new Done<>("late but unchallenged", false));
    }

    @Test
    void theHeartbeatFindsOutThatTheLeaseIsLost() {
        Begun.Started<String> zombie = begin(engine);
        time.pause(LEASE);
        takeOver();
        time.advance(LEASE);

        assertThat(events(Event.LostLease.class)).hasSize(1);
        assertThatThrownBy(() -> zombie.attempt().renew()).isInstanceOf(LeaseLost.class);
        assertThatThrownBy(zombie::release).isInstanceOf(LeaseLost.class);
        assertThat(events(Event.LostLease.class)).as("told once").hasSize(1);
    }

    @Test
    void workCanRenewByItself() {
        Begun.Started<String> started = begin(engine);
        time.pause(LEASE.minusSeconds(1));
        started.attempt().renew();

        assertThat(store.look(CALL.key()).orElseThrow().remaining()).isEqualTo(LEASE);
    }

    @Test
    void workThatOccupiesEveryThreadOfItsCallerDoesNotStarveTheHeartbeat() throws Exception {
        MemoryStore real = new MemoryStore();
        CountDownLatch renewed = new CountDownLatch(5);
        Interposed counting = new Interposed(real).after(Settlement.Renew.class, renewed::countDown);
        Engine spinning = Engine.on(counting).with(Operation.named("spin").lease(Duration.ofMillis(60)));

        assertThat(spinning.run(CALL, UTF8, attempt -> {
                    renewed.await();
                    return "done";
                }))
                .isEqualTo(new Done<>("done", false));
        assertThat(real.page(Inspectable.View.OLDEST, null, 1).slots().get(0).attempts())
                .isEqualTo(1);
    }

    @Test
    void theListenerIsToldOnNoTimersThreadButWhenThereIsAnotherOne() {
        boolean[] full = {true};
        Engine crowded = Engine.on(store, new ForwardingTime(time) {
                    @Override
                    public Runnable execute(Runnable task) {
                        if (full[0]) {
                            throw new RejectedExecutionException("all threads hang");
                        }
                        return super.execute(task);
                    }
                })
                .withListener(events::add);
        begin(crowded);

        time.advance(LEASE.dividedBy(2));
        assertThat(events).isEmpty();
        full[0] = false;
        time.advance(LEASE.dividedBy(3));
        assertThat(events(Event.RenewFailed.class)).isNotEmpty();
        assertThat(slot().state()).isEqualTo(Slot.State.HELD);
    }

    @Test
    void anAttemptThatNobodyEndsIsRenewedForADayAndThenGivenUp() {
        begin(engine);

        time.advance(Duration.ofDays(1).minus(LEASE));
        assertThat(slot().state()).isEqualTo(Slot.State.HELD);
        assertThat(events(Event.Overdue.class)).isEmpty();
        time.advance(LEASE.multipliedBy(2));
        assertThat(slot().state()).isEqualTo(Slot.State.LAPSED);
        assertThat(events(Event.Overdue.class))
                .singleElement()
                .satisfies(overdue -> assertThat(overdue.working()).isGreaterThanOrEqualTo(Duration.ofDays(1)));
        time.advance(Duration.ofDays(2));
        assertThat(events(Event.Overdue.class)).as("told once").hasSize(1);
    }

    @Test
    void theNextCallMeetsThePolicyForAbandonedCalls() {
        begin(briefly());
        time.advance(LEASE.multipliedBy(3));

        assertThat(elsewhere(RERUN).run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(events(Event.Abandoned.class)).hasSize(1);
    }

    @Test
    void anAttemptThatWasGivenUpAndNobodyTookOverMayStillEnd() {
        Begun.Started<String> late = begin(briefly());
        time.advance(LEASE.multipliedBy(3));

        assertThat(late.complete("late but unchallenged")).isEqualTo(new Done<>("late but unchallenged", false));
    }

    @Test
    void anAttemptThatWasGivenUpAndTakenOverIsToldSo() {
        Begun.Started<String> late = begin(briefly());
        time.advance(LEASE.multipliedBy(3));
        takeOver();

        assertThatThrownBy(() -> late.attempt().renew()).isInstanceOf(LeaseLost.class);
        assertThatThrownBy(() -> late.complete("too late")).isInstanceOf(LeaseLost.class);
    }

    @Test
    void workThatRenewsByItselfIsNotTakenForForgotten() {
        Begun.Started<String> alive = begin(briefly());

        for (int i = 0; i < 20; i++) {
            time.advance(LEASE);
            alive.attempt().renew();
        }
        assertThat(slot().state()).isEqualTo(Slot.State.HELD);
        assertThat(events(Event.Overdue.class)).isEmpty();
    }

    @Test
    void noLeaseIsGivenUpBeforeItRanOut() {
        begin(engine.with(Operation.named("once").renewFor(Duration.ZERO)));

        time.advance(LEASE.minusSeconds(1));
        assertThat(slot().state()).isEqualTo(Slot.State.HELD);
    }

    private Engine briefly() {
        return engine.with(Operation.named("brief").renewFor(LEASE.multipliedBy(2)));
    }

    private Begun.Started<String> begin(Engine on, String id) {
        return (Begun.Started<String>) on.begin(Call.of(Key.of("s", id), Fingerprint.none()), UTF8);
    }

    private long takeOver() {
        long[] fence = new long[1];
        elsewhere(RERUN).run(CALL, UTF8, attempt -> {
            fence[0] = attempt.fence();
            return countedRun(attempt);
        });
        return fence[0];
    }
}
