// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Outcome;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.fault.CrashPoint;
import io.semel.testkit.fault.FlakyStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is answered without the store, and what never is. */
class CachedStoreTest {

    private final ManualTime time = new ManualTime();
    private final FlakyStore truth = FlakyStore.on(new MemoryStore(1 << 20, time), time);
    private final CachedStore store = near(truth);

    private CachedStore near(Store behind) {
        return sharing(behind, NearAnswers.ofBytes(1 << 20, time));
    }

    @Test
    void afterTheFirstReplayTheStoreIsNotAskedAgain() {
        Key key = Trial.done(store, "done");
        Trial.claim(store, key);
        truth.down();

        for (int i = 0; i < 100; i++) {
            assertThat(Trial.answer(store, key)).isEqualTo("done");
        }
        assertThat(store.peek(key).map(Trial::answer)).contains("done");
    }

    @Test
    void sessionsAreNotPutBehindAnswersAndTheSystemOfRecordIsUnderAllOfThem() {
        assertThatThrownBy(() -> near(new MemorySessions(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("system of record");
        assertThat(near(store).systemOfRecord()).isSameAs(truth);
    }

    @Test
    void inABatchOnlyWhatIsNotKnownIsAsked() {
        Key known = Trial.done(store, "done");
        Trial.claim(store, known);
        Key fresh = Trial.key();

        List<Claim> claims = store.claimAll(List.of(claiming(known), claiming(fresh), claiming(known)));

        assertThat(claims).extracting(Trial::answer).containsExactly("done", "granted", "done");
        truth.down();
        assertThat(store.claimAll(List.of(claiming(known), claiming(known)))).hasSize(2);
        assertThatThrownBy(() -> store.claimAll(List.of(claiming(known), claiming(fresh))))
                .isInstanceOf(StoreException.class);
    }

    private static Store.Claiming claiming(Key key) {
        return new Store.Claiming(Call.of(key, Trial.ASKED), "holder-" + key.id(), Trial.LEASE);
    }

    @Test
    void completingFillsNothing() {
        Key key = Trial.done(store, "done");
        truth.down();

        assertThatThrownBy(() -> Trial.claim(store, key)).isInstanceOf(StoreException.class);
    }

    @Test
    void whatIsHeldUnknownOrGoneIsTheStoresToTell() {
        Key held = Trial.key();
        Trial.granted(store, held, "holder");
        Key unknown = Trial.done(store, Trial.UNKNOWN, Retention.UNENDING);
        Key gone = Trial.done(store, Trial.bytes("done"), Retention.of(Duration.ofMinutes(1), Duration.ofDays(1)));
        time.pause(Duration.ofMinutes(2));
        List<Key> keys = List.of(held, unknown, gone);
        keys.forEach(key -> Trial.claim(store, key));
        truth.down();

        for (Key key : keys) {
            assertThatThrownBy(() -> Trial.claim(store, key)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void theAnswerIsForgottenWhenItsRetentionEnds() {
        Key key = Trial.done(store, Trial.bytes("done"), Retention.of(Duration.ofMinutes(2), Duration.ofMinutes(2)));
        time.pause(Duration.ofMinutes(1));
        Claim.Settled told = (Claim.Settled) Trial.claim(store, key);
        assertThat(told.remaining()).isEqualTo(Duration.ofMinutes(1));
        time.pause(Duration.ofSeconds(59));
        assertThat(((Claim.Settled) Trial.claim(store, key)).remaining()).isEqualTo(Duration.ofSeconds(1));
        time.pause(Duration.ofSeconds(1));

        assertThat(Trial.answer(store, key)).isEqualTo("gone");
        time.pause(Duration.ofMinutes(2));
        assertThat(Trial.answer(store, key)).isEqualTo("granted");
    }

    /** Else a store that answers slowly would have its answers kept past their retention. */
    @Test
    void retentionAndFreshnessCountFromBeforeTheStoreWasAsked() {
        Key key = Trial.done(store, "done");
        truth.next(CrashPoint.AFTER_CLAIM).takes(Duration.ofMinutes(4));
        Trial.claim(store, key);
        truth.down();
        assertThat(((Claim.Settled) Trial.claim(store, key)).remaining()).isEqualTo(Duration.ofMinutes(56));
        time.pause(Duration.ofMinutes(1));

        assertThatThrownBy(() -> Trial.claim(store, key)).isInstanceOf(StoreException.class);
    }

    @Test
    void anAnswerThatTookLongerThanItWasFreshIsNotKept() {
        Key key = Trial.done(store, "done");
        truth.next(CrashPoint.AFTER_CLAIM).takes(Duration.ofMinutes(6));
        Trial.claim(store, key);
        truth.down();

        assertThatThrownBy(() -> Trial.claim(store, key)).isInstanceOf(StoreException.class);
    }

    @Test
    void anotherRequestUnderAKnownKeyIsAMismatchWithoutTheStore() {
        Key key = Key.of("payments", "order-1");
        Engine engine = Engine.on(store);
        Call call = Call.of(key, Trial.ASKED);
        engine.run(call, Codec.utf8(), attempt -> "charged");
        engine.run(call, Codec.utf8(), attempt -> "charged again");
        truth.down();

        assertThat(engine.run(call, Codec.utf8(), attempt -> "charged again"))
                .isEqualTo(new Outcome.Done<>("charged", true));
        assertThat(engine.run(Call.of(key, Fingerprint.of("another")), Codec.utf8(), attempt -> "charged again"))
                .isEqualTo(new Outcome.Refused<>(Outcome.Reason.MISMATCH));
    }

    @Test
    void anAmendmentIsSeenAtOnceWhereItWasMadeAndElsewhereWhenTheAnswerIsNoLongerFresh() {
        CachedStore elsewhere = near(truth);
        Key key = Trial.done(store, "done");
        Trial.claim(store, key);
        Trial.claim(elsewhere, key);

        assertThat(((Inspectable) store).amend(key, Trial.bytes("done"), Trial.complete("amended")))
                .isTrue();
        assertThat(Trial.answer(store, key)).isEqualTo("amended");
        assertThat(Trial.answer(elsewhere, key)).isEqualTo("done");
        time.pause(Duration.ofMinutes(5));
        assertThat(Trial.answer(elsewhere, key)).isEqualTo("amended");
    }

    @Test
    void aSlotReleasedByAmendmentIsFreeAtOnce() {
        Key key = Trial.done(store, "done");
        Trial.claim(store, key);

        ((Inspectable) store).amend(key, Trial.bytes("done"), new Settlement.Release());

        assertThat(Trial.answer(store, key)).isEqualTo("granted");
    }

    /** The answer was on its way when it was amended, and arrives after the amendment has made it forgotten. */
    @Test
    void anAnswerFromBeforeAnAmendmentIsNotKept() {
        MemoryStore memory = new MemoryStore(1 << 20, time);
        Interrupted slow = new Interrupted(memory);
        CachedStore cached = near(slow);
        Key key = Trial.done(memory, "done");
        slow.meanwhile = () -> ((Inspectable) cached).amend(key, Trial.bytes("done"), Trial.complete("amended"));

        assertThat(Trial.answer(cached, key)).isEqualTo("done");
        assertThat(Trial.answer(cached, key)).isEqualTo("amended");
    }

    /** Only within a process it is known that there was an amendment meanwhile. */
    @Test
    void anotherProcessMayPutBackWhatItHadAskedForBeforeTheAmendmentWhileThatIsFresh() {
        MemoryStore memory = new MemoryStore(1 << 20, time);
        Interrupted slow = new Interrupted(memory);
        Answers shared = NearAnswers.ofBytes(1 << 20, time);
        CachedStore here = sharing(memory, shared);
        CachedStore elsewhere = sharing(slow, shared);
        Key key = Trial.done(memory, "done");
        slow.meanwhile = () -> ((Inspectable) here).amend(key, Trial.bytes("done"), Trial.complete("amended"));
        Trial.claim(elsewhere, key);

        assertThat(Trial.answer(here, key)).isEqualTo("done");
        time.pause(Duration.ofMinutes(5));
        assertThat(Trial.answer(here, key)).isEqualTo("amended");
    }

    @Test
    void withTwoLayersTheSpansInWhichAnAmendmentGoesUnseenAddUp() {
        MemoryStore memory = new MemoryStore(1 << 20, time);
        CachedStore middle = sharing(memory, NearAnswers.ofBytes(1 << 20, time));
        CachedStore both = CachedStore.over(middle, NearAnswers.ofBytes(1 << 20, time))
                .freshFor(Duration.ofMinutes(1))
                .timedBy(time);
        Key key = Trial.done(memory, "done");
        Trial.claim(middle, key);
        memory.amend(key, Trial.bytes("done"), Trial.complete("amended"));
        time.pause(Duration.ofMinutes(5).minusSeconds(1));
        Trial.claim(both, key);

        time.pause(Duration.ofSeconds(59));
        assertThat(Trial.answer(both, key)).isEqualTo("done");
        time.pause(Duration.ofSeconds(1));
        assertThat(Trial.answer(both, key)).isEqualTo("amended");
    }

    private CachedStore sharing(Store behind, Answers shared) {
        return CachedStore.over(behind, shared).freshFor(Duration.ofMinutes(5)).timedBy(time);
    }

    @Test
    void itShowsAndPurgesExactlyWhereTheStoreDoes() {
        Store plain = new ForwardingStore(new MemoryStore(1 << 20, time));

        assertThat(near(plain)).isNotInstanceOfAny(Inspectable.class, Purgeable.class);
        assertThat(near(new MemoryStore(1 << 20, time)))
                .isInstanceOf(Inspectable.class)
                .isInstanceOf(Purgeable.class);
        assertThat(near(plain).level()).isEqualTo(plain.level());
    }

    @Test
    void anAnswerIsFreshForMoreThanNoTime() {
        assertThatThrownBy(() -> store.freshFor(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
