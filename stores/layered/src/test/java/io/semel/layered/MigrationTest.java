// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.AnswerKind;
import io.semel.Key;
import io.semel.Level;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.testkit.ForwardingSlots;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.CrashPoint;
import io.semel.testkit.fault.FlakyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Some use the old store alone, some both, and later some the next one alone. */
class MigrationTest {

    private final ManualTime time = new ManualTime();
    private final MemoryStore old = new MemoryStore(1 << 20, time);
    private final FlakyStore next = FlakyStore.on(new MemoryStore(1 << 20, time), time);
    private final MigratingStore both = migrating(old, next);

    private MigratingStore migrating(Store from, Store to) {
        return MigratingStore.of(from, to, Trial.KEPT.remembrance(), time);
    }

    @Test
    void anOldStoreThatCannotPurgeKeepsTheNextOneFromNothing() {
        ForwardingSlots failing = new FailingToPurge(old);
        MemoryStore successor = new MemoryStore(1 << 20, time);
        MigratingStore migrating = migrating(failing, successor);
        for (int i = 0; i < 3; i++) {
            Trial.done(successor, "done");
        }
        time.advance(Trial.KEPT.retention().plus(Trial.KEPT.remembrance()).plusDays(2));

        assertThat(migrating.purge(2))
                .as("a whole batch, so that the next one follows")
                .isEqualTo(2);
        assertThatThrownBy(() -> migrating.purge(2)).hasMessage("the old store cannot purge");
        assertThat(successor.count().settled()).isZero();
    }

    private static final class FailingToPurge extends ForwardingSlots implements Purgeable {

        FailingToPurge(MemoryStore store) {
            super(store);
        }

        @Override
        public int purge(int limit) {
            throw new StoreException("the old store cannot purge", null);
        }
    }

    /** As a store does that hides keys. */
    @Test
    void whatIsNotShownUnderItsNameIsLeft() {
        Key key = Trial.done(old, "done");
        Store hiding = new ForwardingSlots(old) {
            @Override
            public Page page(View view, @Nullable String cursor, int limit) {
                return new Page(
                        super.page(view, cursor, limit).slots().stream()
                                .map(MigrationTest::hidden)
                                .toList(),
                        null);
            }
        };

        assertThat(migrating(hiding, next).move()).isEqualTo(new MigratingStore.Moved(0, 1));
        assertThat(Trial.answer(migrating(hiding, next), key)).isEqualTo("done");
    }

    private static Slot hidden(Slot slot) {
        return new Slot(
                Key.of("(not kept)", "1"),
                slot.fingerprint(),
                slot.state(),
                slot.fence(),
                slot.attempts(),
                slot.holder(),
                slot.age(),
                slot.remaining(),
                slot.result());
    }

    @Test
    void whatIsHeldInEitherStoreIsHeldForWhoUsesBoth() {
        Key before = Trial.key();
        Trial.granted(old, before, "uses the old one");
        Key after = Trial.key();
        Trial.granted(next, after, "uses the next one");

        assertThat(Trial.answer(both, before)).isEqualTo("held");
        assertThat(Trial.answer(both, after)).isEqualTo("held");
        assertThat(old.peek(after)).as("it was given back").isEmpty();
    }

    @Test
    void whatWhoUsesBothHoldsIsHeldForEverybody() {
        Key key = Trial.key();
        Trial.granted(both, key, "holder");

        assertThat(Trial.answer(old, key)).isEqualTo("held");
        assertThat(Trial.answer(next, key)).isEqualTo("held");
    }

    @Test
    void whatWhoUsesBothSettlesIsSettledForEverybody() {
        Key key = Trial.done(both, "done");

        assertThat(Trial.answer(old, key)).isEqualTo("done");
        assertThat(Trial.answer(next, key)).isEqualTo("done");
    }

    @Test
    void whatOnlyTheOldStoreKnowsIsCopiedBeforeItIsTold() {
        Key key = Trial.done(old, "done");
        Claim.Settled told = (Claim.Settled) Trial.claim(both, key);

        assertThat(Trial.answer(told)).isEqualTo("done");
        assertThat(Trial.answer(next, key)).isEqualTo("done");
        assertThat(((Claim.Settled) Trial.claim(next, key)).remaining()).isEqualTo(told.remaining());
        time.pause(Trial.KEPT.retention());
        assertThat(Trial.answer(next, key)).isEqualTo("gone");
    }

    @Test
    void whatCannotBeCopiedIsNotTold() {
        Key key = Trial.done(old, "done");
        next.down();

        assertThatThrownBy(() -> Trial.claim(both, key)).isInstanceOf(StoreException.class);
    }

    @Test
    void whatIsGoneFromTheOldStoreIsGoneFromTheNextOneToo() {
        Key key = Trial.done(old, "done");
        time.pause(Trial.KEPT.retention());

        assertThat(Trial.answer(both, key)).isEqualTo("gone");
        time.pause(Duration.ofMinutes(1));
        assertThat(Trial.answer(next, key)).isEqualTo("gone");
        time.pause(Trial.KEPT.remembrance());
        assertThat(Trial.answer(next, key)).isEqualTo("granted");
    }

    @Test
    void whatStandsInForAnAnswerThatIsGoneIsSaidToBeNotRetained() {
        Key key = Trial.done(old, "done");
        time.pause(Trial.KEPT.retention());
        List<AnswerKind> copied = new ArrayList<>();
        Store watched = new ForwardingSlots(next) {
            @Override
            public boolean settle(Key settled, String holder, long fence, Settlement settlement) {
                copied.add(((Settlement.Complete) settlement).kind());
                return super.settle(settled, holder, fence, settlement);
            }
        };

        assertThat(Trial.answer(migrating(old, watched), key)).isEqualTo("gone");
        assertThat(copied).containsExactly(AnswerKind.NOT_RETAINED);
    }

    @Test
    void whatOnlyTheNextStoreKnowsIsToldAndTheOldOneKeepsNoClaim() {
        Key key = Trial.done(next, "done");

        assertThat(Trial.answer(both, key)).isEqualTo("done");
        assertThat(old.peek(key)).isEmpty();
    }

    @Test
    void aNextStoreThatCannotBeAskedLeavesNoClaimInTheOldOne() {
        next.down();
        Key key = Trial.key();

        assertThatThrownBy(() -> Trial.claim(both, key))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.changedNothing()).isTrue());
        assertThat(old.peek(key)).isEmpty();
    }

    @Test
    void aDoubtIsKeptWhenWhatIsInDoubtCannotBeTakenOver() {
        Key key = Trial.key();
        Trial.granted(old, key, "vanished");
        time.pause(Trial.LEASE);
        Trial.granted(next, key, "uses the next one");

        assertThat(Trial.answer(both, key)).isEqualTo("held");
        assertThat(old.look(key).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void whoWasAbandonedInEitherStoreIsAbandonedInBoth() {
        Key key = Trial.key();
        Trial.granted(old, key, "vanished");
        time.pause(Trial.LEASE);

        assertThat(Trial.granted(both, key, "second").abandoned()).isTrue();
        assertThat(Trial.granted(both, key, "second").abandoned()).isTrue();
    }

    @Test
    void whoWasOvertakenInTheOldStoreSettlesNothing() {
        Key key = Trial.key();
        long fence = Trial.granted(both, key, "slow").fence();
        time.pause(Trial.LEASE);
        Trial.granted(old, key, "overtakes");

        assertThat(both.settle(key, "slow", fence, Trial.complete("late"))).isFalse();
        assertThat(Trial.answer(old, key)).isEqualTo("held");
        assertThat(next.peek(key)).containsInstanceOf(Claim.Held.class);
    }

    @Test
    void whoWasOvertakenInTheNextStoreSettlesNothing() {
        Key key = Trial.key();
        long fence = Trial.granted(both, key, "slow").fence();
        time.pause(Trial.LEASE);
        Trial.complete(next, key, Trial.bytes("faster"), Trial.KEPT);

        assertThat(both.settle(key, "slow", fence, Trial.complete("late"))).isFalse();
        assertThat(Trial.answer(both, key)).isEqualTo("faster");
        assertThat(Trial.answer(next, key)).isEqualTo("faster");
    }

    @Test
    void aSettleThatCameHalfWayCanBeRepeated() {
        for (Settlement settlement : new Settlement[] {Trial.complete("done"), new Settlement.Release()}) {
            Key key = Trial.key();
            long fence = Trial.granted(both, key, "holder").fence();
            next.next(settlement instanceof Settlement.Release ? CrashPoint.BEFORE_RELEASE : CrashPoint.BEFORE_COMPLETE)
                    .fails();

            assertThatThrownBy(() -> both.settle(key, "holder", fence, settlement))
                    .isInstanceOf(StoreException.class);
            assertThat(both.peek(key)).as("not before both know").containsInstanceOf(Claim.Held.class);
            assertThat(both.settle(key, "holder", fence, new Settlement.Renew(Trial.LEASE)))
                    .as("a heartbeat meanwhile")
                    .isEqualTo(settlement instanceof Settlement.Complete);
            assertThat(both.settle(key, "holder", fence, settlement)).isTrue();
            assertThat(both.settle(key, "holder", fence, settlement)).isFalse();
            assertThat(next.peek(key).map(Trial::answer))
                    .isEqualTo(old.peek(key).map(Trial::answer));
        }
    }

    @Test
    void moveCopiesWhatOnlyTheOldStoreKnows() {
        Key gone = Trial.done(old, "done");
        Key lapsed = Trial.key();
        Trial.granted(old, lapsed, "vanished");
        time.pause(Trial.KEPT.retention());
        Key settled = Trial.done(old, "done");
        Key unknown = Trial.done(old, Trial.UNKNOWN, Retention.UNENDING);
        Key held = Trial.key();
        Trial.granted(old, held, "holder");
        Key known = Trial.done(both, "done by both");

        assertThat(both.move()).isEqualTo(new MigratingStore.Moved(4, 1));
        time.pause(Duration.ofSeconds(1));
        assertThat(Trial.answer(next, gone)).isEqualTo("gone");
        assertThat(Trial.granted(next, lapsed, "retry").abandoned()).isTrue();
        assertThat(Trial.answer(next, settled)).isEqualTo("done");
        assertThat(((Claim.Settled) Trial.claim(next, unknown)).result()).isEqualTo(Trial.UNKNOWN);
        assertThat(Trial.answer(next, known)).isEqualTo("done by both");
        assertThat(next.peek(held)).isEmpty();
        time.pause(Trial.LEASE);
        assertThat(both.move()).isEqualTo(new MigratingStore.Moved(1, 0));
    }

    @Test
    void anOperatorAmendsWhatIsInBothOrInOneOfThem() {
        Key inBoth = Trial.done(both, "done");
        Key inOld = Trial.done(old, "done");
        Key inNext = Trial.done(next, "done");

        for (Key key : new Key[] {inBoth, inOld, inNext}) {
            assertThat(both.amend(key, Trial.bytes("done"), Trial.complete("amended")))
                    .isTrue();
            assertThat(both.amend(key, Trial.bytes("done"), Trial.complete("again")))
                    .isFalse();
            assertThat(Trial.answer(both, key)).isEqualTo("amended");
            assertThat(Trial.answer(next, key)).isEqualTo("amended");
        }
    }

    @Test
    void anAmendmentThatWasInterruptedBetweenTheStoresCanBeRepeated() {
        for (Settlement verdict : new Settlement[] {Trial.complete("amended"), new Settlement.Release()}) {
            Key key = Trial.done(both, Trial.UNKNOWN, Retention.UNENDING);
            assertThatThrownBy(() -> interrupted().amend(key, Trial.UNKNOWN, verdict))
                    .isInstanceOf(StoreException.class);

            assertThat(both.look(key).orElseThrow().state()).isEqualTo(Slot.State.UNKNOWN);
            assertThat(both.amend(key, Trial.UNKNOWN, verdict)).isTrue();
            assertThat(next.peek(key).map(Trial::answer))
                    .isEqualTo(old.peek(key).map(Trial::answer));
        }
    }

    @Test
    void anAmendmentThatWasInterruptedIsFinishedAsItWasBegun() {
        Key key = Trial.done(both, Trial.UNKNOWN, Retention.UNENDING);
        assertThatThrownBy(() -> interrupted().amend(key, Trial.UNKNOWN, Trial.complete("first")))
                .isInstanceOf(StoreException.class);

        assertThat(both.amend(key, Trial.UNKNOWN, Trial.complete("second")))
                .as("whoever uses the old store alone may have been told the first")
                .isFalse();
        assertThat(Trial.answer(next, key)).isEqualTo("first");
    }

    @Test
    void anAmendmentThatWasInterruptedIsFinishedByWhoeverAsksAndByAMove() {
        Key asked = Trial.done(both, Trial.UNKNOWN, Retention.UNENDING);
        Key moved = Trial.done(both, Trial.UNKNOWN, Retention.UNENDING);
        for (Key key : new Key[] {asked, moved}) {
            assertThatThrownBy(() -> interrupted().amend(key, Trial.UNKNOWN, Trial.complete("amended")))
                    .isInstanceOf(StoreException.class);
        }

        assertThat(Trial.answer(both, asked)).isEqualTo("amended");
        assertThat(both.move()).isEqualTo(new MigratingStore.Moved(1, 0));
        assertThat(Trial.answer(next, moved)).isEqualTo("amended");
    }

    @Test
    void moveFinishesACompletionThatCameHalfWay() {
        Key key = Trial.key();
        long fence = Trial.granted(both, key, "vanishes").fence();
        next.next(CrashPoint.BEFORE_COMPLETE).fails();
        assertThatThrownBy(() -> both.settle(key, "vanishes", fence, Trial.complete("done")))
                .isInstanceOf(StoreException.class);

        assertThat(both.move()).as("its holder may still repeat it").isEqualTo(new MigratingStore.Moved(0, 1));
        time.pause(Trial.LEASE);
        assertThat(both.move()).isEqualTo(new MigratingStore.Moved(1, 0));
        assertThat(Trial.answer(next, key)).isEqualTo("done");
    }

    /** Both stores, seen by a process that loses the next one when it is about to amend it. */
    private MigratingStore interrupted() {
        return migrating(old, new ForwardingSlots(next) {
            @Override
            public boolean amend(Key key, byte[] seen, Settlement verdict) {
                throw new StoreException("The next store cannot be asked now.", null);
            }
        });
    }

    @Test
    void itsLevelIsTheWeakerOne() {
        FlakyStore better = FlakyStore.on(new MemoryStore(1 << 20, time), time).promising(Level.LEASED);

        assertThat(migrating(old, better).level()).isEqualTo(Level.BEST_EFFORT);
        assertThat(migrating(better, old).level()).isEqualTo(Level.BEST_EFFORT);
        assertThat(migrating(better, better).level()).isEqualTo(Level.LEASED);
    }

    @Test
    void aJoinedStoreOrOneThatShowsNothingIsRefused() {
        Store joined = FlakyStore.on(new MemoryStore(1 << 20, time), time).promising(Level.JOINED);

        assertThatThrownBy(() -> migrating(joined, old)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> migrating(old, joined)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> migrating(old, new ForwardingStore(next)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
