// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FlakyStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Key KEY = Key.of("flaky", "1");
    private static final Call CALL = Call.of(KEY, Fingerprint.none());
    private static final Settlement DONE = new Settlement.Complete(new byte[] {1, 0, 7}, Retention.DEFAULT);

    private final ManualTime time = new ManualTime();
    private final MemoryStore inner = new MemoryStore(1 << 20, time);
    private final FlakyStore store = FlakyStore.on(inner, time);

    @Test
    void withoutFaultsItIsTheStoreWithin() {
        assertThat(store.claim(CALL, "a", LEASE)).isInstanceOf(Claim.Granted.class);
        assertThat(store.claim(CALL, "b", LEASE)).isInstanceOf(Claim.Held.class);
        assertThat(store.settle(KEY, "b", fence(KEY), DONE)).isFalse();
        assertThat(store.settle(KEY, "a", fence(KEY), DONE)).isTrue();
        assertThat(store.peek(KEY)).isEqualTo(inner.peek(KEY)).isPresent();
        assertThat(store.now()).isEqualTo(inner.now());
        assertThat(store.level()).isEqualTo(Level.BEST_EFFORT);
    }

    @Test
    void aFaultBeforeAClaimLeavesTheKeyFree() {
        store.next(CrashPoint.BEFORE_CLAIM).fails();
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("BEFORE_CLAIM");
        assertThat(inner.peek(KEY)).isEmpty();
        assertThat(store.claim(CALL, "b", LEASE)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aFaultAfterAClaimLeavesTheKeyHeldAndItsHolderMayAskAgain() {
        store.next(CrashPoint.AFTER_CLAIM).fails();
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE)).isInstanceOf(StoreException.class);
        assertThat(inner.peek(KEY)).isPresent();
        assertThat(store.claim(CALL, "b", LEASE)).isInstanceOf(Claim.Held.class);
        assertThat(store.claim(CALL, "a", LEASE)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aFaultBeforeACompletionRecordsNothing() {
        store.claim(CALL, "a", LEASE);
        store.next(CrashPoint.BEFORE_COMPLETE).fails();
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), DONE)).isInstanceOf(StoreException.class);
        assertThat(inner.peek(KEY).orElseThrow()).isInstanceOf(Claim.Held.class);
    }

    @Test
    void aFaultAfterACompletionRecordsItAndTellsNobody() {
        store.claim(CALL, "a", LEASE);
        store.next(CrashPoint.AFTER_COMPLETE).fails();
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), DONE)).isInstanceOf(StoreException.class);
        assertThat(inner.peek(KEY).orElseThrow()).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void faultsOfRenewingAndReleasingDoNotMeetACompletion() {
        store.every(CrashPoint.BEFORE_RENEW).fails();
        store.every(CrashPoint.BEFORE_RELEASE).fails();
        store.claim(CALL, "a", LEASE);
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), new Settlement.Renew(LEASE)))
                .hasMessageContaining("BEFORE_RENEW");
        assertThatThrownBy(() -> store.settle(KEY, "a", fence(KEY), new Settlement.Release()))
                .hasMessageContaining("BEFORE_RELEASE");
        assertThat(store.settle(KEY, "a", fence(KEY), DONE)).isTrue();
    }

    @Test
    void theNthTimeCountsFromNow() {
        store.claim(CALL, "a", LEASE);
        store.nth(2, CrashPoint.BEFORE_CLAIM).fails();
        store.claim(CALL, "b", LEASE);
        assertThatThrownBy(() -> store.claim(CALL, "c", LEASE)).isInstanceOf(StoreException.class);
        store.claim(CALL, "d", LEASE);
        assertThatThrownBy(() -> store.nth(0, CrashPoint.BEFORE_CLAIM)).hasMessageContaining("number 0");
    }

    @Test
    void aFaultOfEveryTimeLastsUntilTheStoreIsHealed() {
        store.every(CrashPoint.BEFORE_CLAIM).fails();
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE)).isInstanceOf(StoreException.class);
        store.heal();
        assertThat(store.claim(CALL, "a", LEASE)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aFaultMayThrowWhatTheTestLikes() {
        store.next(CrashPoint.BEFORE_CLAIM).fails(() -> StoreException.changedNothing("no route", null));
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE)).hasMessage("no route");
    }

    @Test
    void aDelayPassesByTheTimeOfTheStore() {
        store.next(CrashPoint.BEFORE_CLAIM).takes(LEASE);
        store.claim(CALL, "a", LEASE);
        assertThat(time.nanos()).isEqualTo(LEASE.toNanos());
    }

    @Test
    void aDelayAfterAClaimCanOutlastItsLease() {
        store.next(CrashPoint.AFTER_CLAIM).takes(LEASE);
        assertThat(store.claim(CALL, "a", LEASE)).isEqualTo(new Claim.Granted(1, false));
        assertThat(store.claim(CALL, "b", LEASE)).isEqualTo(new Claim.Granted(2, true));
    }

    @Test
    void whatWasAskedForAndHasNotHappenedIsPending() {
        store.next(CrashPoint.BEFORE_CLAIM).takes(LEASE);
        store.every(CrashPoint.AFTER_RELEASE).fails();
        assertThat(store.pending()).isEqualTo(2);
        store.claim(CALL, "a", LEASE);
        assertThat(store.pending()).isEqualTo(1);
        store.heal();
        assertThat(store.pending()).isZero();
    }

    @Test
    void aStoreThatIsDownAnswersNothingAndChangesNothing() {
        store.down();
        assertThatThrownBy(() -> store.claim(CALL, "a", LEASE))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.changedNothing()).isTrue());
        assertThatThrownBy(() -> store.peek(KEY)).isInstanceOf(StoreException.class);
        assertThatThrownBy(store::now).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> ((Inspectable) store).count()).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> ((Purgeable) store).purge(1)).isInstanceOf(StoreException.class);
        store.up();
        assertThat(store.claim(CALL, "a", LEASE)).isEqualTo(new Claim.Granted(1, false));
    }

    @Test
    void aBatchMeetsTheFaultsOfEachOfItsParts() {
        Call other = Call.of(Key.of("flaky", "2"), Fingerprint.none());
        List<Store.Claiming> both =
                List.of(new Store.Claiming(CALL, "a", LEASE), new Store.Claiming(other, "b", LEASE));
        store.nth(2, CrashPoint.BEFORE_CLAIM).fails();
        assertThatThrownBy(() -> store.claimAll(both)).isInstanceOf(StoreException.class);
        assertThat(inner.peek(KEY)).isEmpty();
        assertThat(store.claimAll(both)).hasSize(2).allMatch(claim -> claim instanceof Claim.Granted);
        store.nth(2, CrashPoint.AFTER_COMPLETE).fails();
        assertThatThrownBy(() -> store.settleAll(
                        List.of(settling("a", DONE), new Store.Settling(other.key(), "b", fence(other.key()), DONE))))
                .isInstanceOf(StoreException.class);
        assertThat(inner.peek(KEY).orElseThrow()).isInstanceOf(Claim.Settled.class);
        assertThat(inner.peek(other.key()).orElseThrow()).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void whatTheStoreWithinCanDoIsNotLost() {
        store.claim(CALL, "a", LEASE);
        assertThat(((Inspectable) store).look(KEY).orElseThrow().state()).isEqualTo(Slot.State.HELD);
        assertThat(((Inspectable) store).count().held()).isEqualTo(1);
        assertThat(((Inspectable) store).page(Inspectable.View.OLDEST, null, 9).slots())
                .hasSize(1);
        assertThat(((Inspectable) store).amend(KEY, new byte[0], new Settlement.Release()))
                .isFalse();
        assertThat(((Purgeable) store).purge(9)).isZero();
    }

    @Test
    void whatTheStoreWithinCannotDoIsNotPromised() {
        FlakyStore plain = FlakyStore.on(new ForwardingStore(inner));
        assertThat(plain).isNotInstanceOf(Inspectable.class).isNotInstanceOf(Purgeable.class);
        assertThat(FlakyStore.on(new OnlyPurgeable(inner)))
                .isInstanceOf(Purgeable.class)
                .isNotInstanceOf(Inspectable.class);
    }

    @Test
    void itMayPromiseAnotherLevel() {
        assertThat(store.promising(Level.LEASED).level()).isEqualTo(Level.LEASED);
    }

    private long fence(Key key) {
        return inner.look(key).map(Slot::fence).orElse(0L);
    }

    private Store.Settling settling(String holder, Settlement settlement) {
        return new Store.Settling(KEY, holder, fence(KEY), settlement);
    }

    private static final class OnlyPurgeable extends ForwardingStore implements Purgeable {

        OnlyPurgeable(Store inner) {
            super(inner);
        }

        @Override
        public int purge(int limit) {
            return 0;
        }
    }

    @Test
    void aCallThatHangsComesBackOnlyWhenItIsReleased() throws Exception {
        FlakyStore store = FlakyStore.on(new MemoryStore());
        CountDownLatch release = store.next(CrashPoint.BEFORE_CLAIM).hangs();
        CompletableFuture<Claim> claim = new CompletableFuture<>();
        Thread thread = new Thread(() -> claim.complete(
                store.claim(Call.of(Key.of("flaky", "hangs"), Fingerprint.none()), "h", Duration.ofSeconds(30))));
        thread.start();
        thread.interrupt();
        thread.join(200);
        assertThat(claim).isNotDone();
        release.countDown();
        assertThat(claim.get(60, TimeUnit.SECONDS)).isInstanceOf(Claim.Granted.class);
    }
}
