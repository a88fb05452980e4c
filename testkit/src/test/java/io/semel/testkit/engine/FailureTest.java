// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.semel.Begun;
import io.semel.Engine;
import io.semel.Event;
import io.semel.Operation;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.OutcomeUnknown;
import io.semel.Rejection;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FailureTest extends EngineFixture {

    private final Interposed flaky = new Interposed(store);
    private final Engine failing = Engine.on(flaky, time).withListener(events::add);

    @Test
    void aClaimThatCannotBeAskedRunsNothing() {
        flaky.before(Claim.class, times(2, this::fail));

        assertThatThrownBy(() -> failing.run(CALL, UTF8, this::countedRun)).isInstanceOf(StoreException.class);
        assertThat(runs).hasValue(0);
        assertThat(events(Event.ClaimFailed.class)).hasSize(1);
        assertThat(failing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void aClaimWhoseAnswerWasLostIsRepeatedAndGoesOn() {
        flaky.after(Claim.class, times(1, this::fail));

        assertThat(failing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void aLostAnswerDoesNotHideThatAnEarlierHolderVanished() {
        claimAndVanish();
        flaky.after(Claim.class, times(1, this::fail));

        assertThat(failing.with(Operation.named("refuse").whenAbandoned(WhenAbandoned.refuse()))
                        .run(CALL, UTF8, this::countedRun))
                .isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(runs).hasValue(0);
    }

    @Test
    void aStoreThatIsCertainThatItChangedNothingIsNotAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        flaky.before(Claim.class, () -> {
            asked.incrementAndGet();
            throw StoreException.changedNothing("full", null);
        });

        assertThatThrownBy(() -> failing.run(CALL, UTF8, this::countedRun)).hasMessage("full");
        assertThat(asked).hasValue(1);
    }

    @Test
    void aSettleThatFailedBeforeItAppliedIsRepeated() {
        flaky.before(Settlement.Complete.class, times(3, this::fail));

        assertThat(failing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
    }

    @Test
    void aSettleThatAppliedAlthoughItFailedIsFoundToHaveApplied() {
        flaky.after(Settlement.Complete.class, times(1, this::fail));

        assertThat(failing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(engine.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", true));
    }

    @Test
    void aSettleThatNobodyConfirmsIsSaidToBeUnknownAndTheLeaseIsLeftToRunOut() {
        flaky.before(Settlement.Complete.class, this::fail);

        assertThatThrownBy(() -> failing.run(CALL, UTF8, this::countedRun))
                .isInstanceOf(OutcomeUnknown.class)
                .hasCauseInstanceOf(StoreException.class);
        assertThat(Duration.ofNanos(time.nanos())).isLessThanOrEqualTo(LEASE.dividedBy(3));
        assertThat(events(Event.SettleFailed.class)).hasSize(1);
        time.advance(LEASE);
        assertThat(elsewhere(Operation.named("refuse").whenAbandoned(WhenAbandoned.refuse()))
                        .run(CALL, UTF8, this::countedRun))
                .isEqualTo(new Refused<>(Reason.UNKNOWN));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aFailedReleaseIsSuppressedIntoTheUsersException() {
        IllegalStateException users = new IllegalStateException("users own");
        flaky.before(Settlement.Release.class, this::fail);

        Throwable thrown = catchThrowable(() -> failing.run(CALL, UTF8, attempt -> {
            throw users;
        }));

        assertThat(thrown).isSameAs(users);
        assertThat(thrown.getSuppressed()).hasSize(1).allMatch(StoreException.class::isInstance);
    }

    @Test
    void aRejectionThatIsNotRecordedIsNotTheAnswer() {
        Rejection rejection = new Rejection("no-funds", "0");
        flaky.before(Settlement.Complete.class, this::fail);

        assertThatThrownBy(() -> failing.run(CALL, UTF8, attempt -> {
                    throw rejection;
                }))
                .isInstanceOf(OutcomeUnknown.class)
                .hasSuppressedException(rejection);
    }

    @Test
    void anAttemptThatWasHeldUpDoesNotTakeTheHeartbeatFromItsSuccessor() {
        flaky.after(Claim.class, times(1, () -> {
            time.pause(LEASE);
            begin(failing.with(RERUN));
        }));
        Begun<String> superseded = failing.begin(CALL, UTF8);
        long successor = slot().fence();
        time.advance(LEASE.multipliedBy(3));

        assertThat(superseded).isInstanceOf(Begun.Answered.class);
        assertThat(slot().state()).isEqualTo(Slot.State.HELD);
        assertThat(slot().fence()).isEqualTo(successor);
    }

    @Test
    void aRenewalThatFailsIsTriedAgainSoonAndHarmsNobodyElse() {
        flaky.before(Settlement.Renew.class, times(2, this::fail));
        var started = begin(failing);
        time.advance(LEASE.multipliedBy(2));

        assertThat(events(Event.RenewFailed.class)).hasSize(2);
        assertThat(started.complete("done")).isEqualTo(new Done<>("done", false));
    }

    @Test
    void aHeartbeatThatCrossesACompletionIsNotTakenForALostLease() {
        flaky.before(Settlement.Complete.class, times(1, () -> {
            time.advance(LEASE);
            fail();
        }));
        flaky.after(Settlement.Complete.class, () -> time.advance(LEASE));

        assertThat(failing.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
        assertThat(events(Event.LostLease.class)).isEmpty();
    }

    private void fail() {
        throw new StoreException("connection reset", null);
    }

    private static Runnable times(int n, Runnable action) {
        AtomicInteger left = new AtomicInteger(n);
        return () -> {
            if (left.getAndDecrement() > 0) {
                action.run();
            }
        };
    }
}
