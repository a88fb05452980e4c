// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes of the process that uses a {@link FlakyStore}. */
class FlakyStoreCrashTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Settlement RENEWAL = new Settlement.Renew(LEASE);
    private static final Key KEY = Key.of("flaky", "1");
    private static final Call CALL = Call.of(KEY, Fingerprint.none());
    private static final Settlement DONE = new Settlement.Complete(new byte[] {1, 0, 7}, Retention.DEFAULT);

    private final ManualTime time = new ManualTime();
    private final MemoryStore inner = new MemoryStore(1 << 20, time);
    private final FlakyStore store = FlakyStore.on(inner, time);

    @ParameterizedTest
    @EnumSource
    void aCrashUnwindsItsCallerAtEveryPoint(CrashPoint point) {
        store.next(point).crashes();
        assertThatThrownBy(this::goThroughEveryPoint)
                .isInstanceOf(SimulatedCrash.class)
                .hasMessageContaining(point.name())
                .hasMessageContaining(point.situation());
        assertThat(store.crashed()).isTrue();
    }

    @Test
    void aCrashedProcessCanDoNothingToTheStore() {
        store.claim(CALL, "a", LEASE);
        store.crash();
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), DONE)).isInstanceOf(SimulatedCrash.class);
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), new Settlement.Release()))
                .isInstanceOf(SimulatedCrash.class);
        assertThatThrownBy(() -> store.claim(CALL, "b", LEASE)).isInstanceOf(SimulatedCrash.class);
        assertThatThrownBy(() -> store.peek(KEY)).isInstanceOf(SimulatedCrash.class);
        assertThat(inner.peek(KEY).orElseThrow()).isInstanceOf(Claim.Held.class);
    }

    @Test
    void theHeartbeatOfACrashedProcessDoesNotCountAndHarmsNobody() {
        store.claim(CALL, "a", LEASE);
        store.crash();
        time.advance(LEASE);
        assertThat(beat("a")).containsExactly(false);
        assertThat(((Claim.Held) inner.peek(KEY).orElseThrow()).remaining()).isZero();
    }

    @Test
    void afterARestartTheAttemptsOfTheCrashedProcessStayDead() {
        store.claim(CALL, "old", LEASE);
        store.crash();
        store.restart();
        assertThat(store.crashed()).isFalse();
        assertThatThrownBy(() -> store.settle(KEY, "old", fence(KEY), DONE)).isInstanceOf(SimulatedCrash.class);
        Call other = Call.of(Key.of("flaky", "2"), Fingerprint.none());
        store.claim(other, "new", LEASE);
        assertThat(store.settleAll(List.of(
                        new Store.Settling(KEY, "old", fence(KEY), RENEWAL),
                        new Store.Settling(other.key(), "new", fence(other.key()), RENEWAL))))
                .containsExactly(false, true);
    }

    @Test
    void aClaimThatWasOnItsWayWhenTheProcessCrashedStaysDead() {
        store.next(CrashPoint.AFTER_CLAIM).runs(() -> {
            store.crash();
            store.restart();
        });
        assertThatThrownBy(() -> store.claim(CALL, "old", LEASE)).isInstanceOf(SimulatedCrash.class);
        assertThat(inner.peek(KEY)).isPresent();
    }

    @Test
    void afterACrashTheKeyStaysHeldUntilTheLeaseHasPassed() {
        store.next(CrashPoint.AFTER_CLAIM).crashes();
        assertThatThrownBy(() -> store.claim(CALL, "old", LEASE)).isInstanceOf(SimulatedCrash.class);
        store.restart();
        assertThat(store.claim(CALL, "new", LEASE)).isInstanceOf(Claim.Held.class);
        time.advance(LEASE);
        assertThat(store.claim(CALL, "new", LEASE)).isEqualTo(new Claim.Granted(2, true));
    }

    @Test
    void leasesOfCrashedProcessesCanRunOutWithoutTimePassing() {
        store.claim(CALL, "old", LEASE);
        store.crash();
        store.restart();
        Call other = Call.of(Key.of("flaky", "2"), Fingerprint.none());
        store.claim(other, "alive", LEASE);
        store.letLeasesRunOut();
        assertThat(store.claim(CALL, "new", LEASE))
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.abandoned()).isTrue());
        assertThat(store.claim(other, "new", LEASE)).isInstanceOf(Claim.Held.class);
        assertThat(time.nanos()).isZero();
    }

    @Test
    void aProcessMayCrashAtItsHeartbeatWhichUnwindsNobody() {
        store.claim(CALL, "a", LEASE);
        store.next(CrashPoint.AFTER_RENEW).crashes();
        assertThat(beat("a")).containsExactly(false);
        assertThat(store.crashed()).isTrue();
    }

    @Test
    void aRenewalByTheWorkOfACrashedProcessUnwindsIt() {
        store.claim(CALL, "a", LEASE);
        store.crash();
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), RENEWAL)).isInstanceOf(SimulatedCrash.class);
    }

    private long fence(Key key) {
        return inner.look(key).map(Slot::fence).orElse(0L);
    }

    private void goThroughEveryPoint() {
        store.claim(CALL, "a", LEASE);
        store.settle(KEY, "a", fence(KEY), new Settlement.Renew(LEASE));
        store.settle(KEY, "a", fence(KEY), new Settlement.Release());
        store.claim(CALL, "b", LEASE);
        store.settle(KEY, "b", fence(KEY), DONE);
    }

    private List<Boolean> beat(String holder) {
        return store.settleAll(List.of(new Store.Settling(KEY, holder, fence(KEY), RENEWAL)));
    }
}
