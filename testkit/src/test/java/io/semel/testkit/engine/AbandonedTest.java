// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Operation;
import io.semel.Operator;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.WhenAbandoned;
import io.semel.WhenAbandoned.Verdict;
import io.semel.store.Inspectable;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbandonedTest extends EngineFixture {

    private final Engine refusing = engine.with(Operation.named("refuse").whenAbandoned(WhenAbandoned.refuse()));

    @Test
    void byDefaultAnAbandonedCallIsRefusedAsUnknown() {
        claimAndVanish();

        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(runs).hasValue(0);
        assertThat(slot().state()).isEqualTo(Slot.State.UNKNOWN);
    }

    @Test
    void anAbandonedCallMayRunAgainWithAHigherFence() {
        claimAndVanish();
        long vanished = store.look(CALL.key()).orElseThrow().fence();

        assertThat(engine.with(RERUN).run(CALL, UTF8, attempt -> {
                    assertThat(attempt.abandoned()).isTrue();
                    assertThat(attempt.fence()).isGreaterThan(vanished);
                    return countedRun(attempt);
                }))
                .isEqualTo(new Done<>("run 1", false));
        assertThat(events(Event.Abandoned.class)).hasSize(1);
    }

    @Test
    void refusingMakesItUnknownForEverUntilSomebodyResolvesIt() {
        claimAndVanish();

        assertThat(refusing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        time.advance(Duration.ofDays(20_000));
        assertThat(refusing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(engine.run(CALL, UTF8, this::countedRun))
                .as("another policy does not undo it")
                .isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(runs).hasValue(0);

        List<Slot> unknown =
                engine.operator("eve").page(Inspectable.View.UNKNOWN, null, 10).slots();
        assertThat(unknown).extracting(Slot::key).containsExactly(CALL.key());
        assertThat(engine.operator("eve").whyUnknown(CALL.key()))
                .hasValueSatisfying(why -> assertThat(why).contains("silent"));
        assertThat(engine.operator("eve").release(slot())).isEqualTo(Operator.Result.APPLIED);
        assertThat(refusing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void aDoorThatDoesNotKnowLeavesTheDecisionToThePolicy() {
        begin(refusing).abandon();

        assertThat(refusing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(runs).hasValue(0);
    }

    @Test
    void anOperatorResolvesWhatNobodyHasAskedForSince() {
        claimAndVanish();
        assertThat(store.look(CALL.key()).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);

        assertThat(refusing.operator("eve").resolve(slot(), UTF8, "it was paid"))
                .isEqualTo(Operator.Result.APPLIED);
        assertThat(refusing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("it was paid", true));
    }

    @Test
    void theVanishedHolderThatComesBackCannotUndoWhatAnOperatorResolved() {
        Begun.Started<String> zombie = begin(engine);
        time.pause(LEASE);
        assertThat(engine.operator("eve").resolve(slot(), UTF8, "resolved")).isEqualTo(Operator.Result.APPLIED);

        assertThatThrownBy(() -> zombie.complete("zombie")).isInstanceOf(io.semel.LeaseLost.class);
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("resolved", true));
    }

    @Test
    void aHookThatKnowsItHappenedGivesTheAnswerToEveryRetry() {
        Engine reconciling = reconciling(Verdict.happened(UTF8, "found at the bank"));
        claimAndVanish();

        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("found at the bank", true));
        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("found at the bank", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aHookThatKnowsItDidNotHappenLetsItRun() {
        Engine reconciling = reconciling(Verdict.didNotHappen());
        claimAndVanish();

        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void aHookThatDoesNotKnowYetIsAskedAgainAtTheNextRetry() {
        Engine reconciling =
                reconciling(Verdict.stillUnknown(), Verdict.stillUnknown(), Verdict.happened(UTF8, "found"));
        claimAndVanish();

        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(reconciling.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("found", true));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aHookThatThrowsLeavesTheSlotAbandoned() {
        RuntimeException failure = new IllegalStateException("bank is down");
        Engine failing = engine.with(Operation.named("fail").whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
            throw failure;
        })));
        claimAndVanish();

        assertThatThrownBy(() -> failing.run(CALL, UTF8, this::countedRun)).isSameAs(failure);
        assertThat(reconciling(Verdict.happened(UTF8, "found")).run(CALL, UTF8, this::countedRun))
                .isEqualTo(new Done<>("found", true));
    }

    @Test
    void aHookIsAskedOnlyAboutAbandonedCallsAndGetsTheSameDerivedKeys() {
        Deque<String> derived = new ArrayDeque<>();
        Engine reconciling = engine.with(Operation.named("r").whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
            derived.add(attempt.derive("charge"));
            return Verdict.didNotHappen();
        })));

        assertThat(reconciling.begin(CALL, UTF8)).isInstanceOf(Begun.Started.class);
        assertThat(derived).isEmpty();
        time.pause(LEASE);
        Begun.Started<String> again = begin(Engine.on(store, time)
                .with(Operation.named("r").whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> {
                    derived.add(attempt.derive("charge"));
                    return Verdict.didNotHappen();
                }))));
        assertThat(derived).containsExactly(again.attempt().derive("charge"));
    }

    private Engine reconciling(Verdict... verdicts) {
        Deque<Verdict> left = new ArrayDeque<>(List.of(verdicts));
        return engine.with(
                Operation.named("reconcile").whenAbandoned(WhenAbandoned.reconcile((call, attempt) -> left.remove())));
    }
}
