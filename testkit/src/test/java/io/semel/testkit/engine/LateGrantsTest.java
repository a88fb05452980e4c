// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Begun;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Outcome;
import io.semel.Outcome.Busy;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Grants that reach their attempt when most of the lease, or all of it, is over. */
class LateGrantsTest extends EngineFixture {

    private final Slow slow = new Slow();
    private final Engine late = Engine.on(slow, time).with(RERUN).withListener(events::add);
    private final Deque<Runnable> others = new ArrayDeque<>();

    @Test
    void aGrantThatArrivesAfterItsLeaseIsRenewedBeforeItsWorkRuns() {
        slow.claims = LEASE.multipliedBy(2);

        assertThat(late.run(CALL, UTF8, this::countedRun)).isEqualTo(new Outcome.Done<>("run 1", false));
        assertThat(slow.renewals).isEqualTo(1);
    }

    @Test
    void aGrantThatAnotherHasTakenMeanwhileRunsNothing() {
        slow.claims = LEASE.multipliedBy(2);
        slow.meanwhile = () -> begin(elsewhere(RERUN));

        assertThat(late.run(CALL, UTF8, this::countedRun)).isInstanceOf(Busy.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void anAbandonedGrantThatWaitsForAThreadIsNotReliedOn() {
        claimAndVanish();
        List<CompletableFuture<Begun<String>>> begun = late.beginAll(List.of(CALL), UTF8, others::add);
        time.advance(LEASE.multipliedBy(2));
        Begun.Started<String> other = begin(elsewhere(RERUN));

        others.forEach(Runnable::run);

        assertThat(begun.get(0).join()).isInstanceOf(Begun.Answered.class);
        assertThat(slot().fence()).isEqualTo(other.attempt().fence());
    }

    @Test
    void aStoreThatIsAlwaysSlowerThanTheLeaseIsAnErrorAndHoldsNothing() {
        slow.claims = LEASE.multipliedBy(2);
        slow.settles = LEASE.multipliedBy(2);

        assertThatThrownBy(() -> late.run(CALL, UTF8, this::countedRun))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("make the lease longer");
        assertThat(runs).hasValue(0);
        assertThat(store.look(CALL.key()).map(Slot::state)).isNotEqualTo(java.util.Optional.of(Slot.State.HELD));
    }

    /** Answers late, when the store has long decided. */
    private final class Slow extends ForwardingStore {

        private Duration claims = Duration.ZERO;
        private Duration settles = Duration.ZERO;
        private Runnable meanwhile = () -> {};
        private int renewals;

        private Slow() {
            super(store);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            time.advance(claims);
            claims = Duration.ZERO;
            meanwhile.run();
            meanwhile = () -> {};
            return claim;
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            renewals += settlement instanceof Settlement.Renew ? 1 : 0;
            boolean applied = super.settle(key, holder, fence, settlement);
            time.advance(settles);
            return applied;
        }
    }
}
