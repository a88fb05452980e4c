// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.Outcome.Reason;
import io.semel.Outcome.Refused;
import io.semel.store.Slot;
import io.semel.time.KeyTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatedKeyTest extends EngineFixture {

    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final Call dated = Call.of(Key.of("payments", KeyTime.uuidV7()), Fingerprint.none());
    private final Engine judging = engine.with(
            Operation.named("dated").retention(RETENTION, Duration.ZERO).keyTime(KeyTime.UUID_V7, SKEW));

    @Test
    void aFreshDatedKeyRuns() {
        assertThat(run(dated)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void anOldDatedKeyOfWhichNothingIsKnownIsGoneAndNothingIsStored() {
        time.advance(RETENTION.plusMinutes(1));

        assertThat(run(dated)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(runs).hasValue(0);
        assertThat(store.look(dated.key())).isEmpty();
        assertThat(store.count().bytes()).isZero();
    }

    @Test
    void anOldDatedKeyWhoseAnswerIsKeptIsReplayed() {
        time.advance(RETENTION.minusMinutes(1));
        run(dated);
        time.advance(RETENTION.minusMinutes(1));

        assertThat(run(dated)).isEqualTo(new Done<>("run 1", true));
    }

    @Test
    void aDatedKeyIsGoneFromTheMomentItsRetentionEndsWithoutAnyTombstone() {
        run(dated);
        time.advance(RETENTION.plusMinutes(1));

        assertThat(run(dated)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aKeyFromTheFutureBeyondTheSkewIsMalformed() {
        Engine behind =
                Engine.on(store, time).with(Operation.named("dated").keyTime(KeyTime.UUID_V7, Duration.ofMinutes(1)));

        assertThatThrownBy(() ->
                        behind.run(dated.firstSentAt(store.now().plus(Duration.ofMinutes(2))), UTF8, this::countedRun))
                .isInstanceOf(MalformedKey.class)
                .hasMessageContaining("set the clock");
        assertThat(runs).hasValue(0);
    }

    @Test
    void aKeyDatedAheadIsNotForgottenBeforeItIsOld() {
        Call ahead = dated.firstSentAt(store.now().plus(SKEW));
        run(ahead);

        time.advance(RETENTION.plusMinutes(1));
        assertThat(run(ahead)).as("not old yet, and no longer kept").isEqualTo(new Refused<>(Reason.GONE));
        time.advance(SKEW);
        assertThat(run(ahead)).as("old").isEqualTo(new Refused<>(Reason.GONE));
        assertThat(runs).hasValue(1);
    }

    @Test
    void theClientsWordOnFirstSendingTakesThePlaceOfTheKeysTime() {
        assertThat(run(dated.firstSentAt(store.now().minus(RETENTION.plusMinutes(1)))))
                .isEqualTo(new Refused<>(Reason.GONE));
    }

    @Test
    void anOldDatedKeyThatWasAbandonedIsGoneAndStaysInDoubtForOperators() {
        store.claim(dated, "a holder that vanishes", LEASE);
        time.advance(RETENTION.plusMinutes(1));

        assertThat(run(dated)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(run(dated)).isEqualTo(new Refused<>(Reason.GONE));
        assertThat(runs).hasValue(0);
        assertThat(store.look(dated.key()).orElseThrow().state()).isEqualTo(Slot.State.LAPSED);
    }

    @Test
    void otherOperationsDoNotCareHowOldAKeyIs() {
        time.advance(RETENTION.multipliedBy(10));

        assertThat(engine.run(dated, UTF8, this::countedRun)).isEqualTo(new Done<>("run 1", false));
    }

    @Test
    void withoutATimeOfItsOwnAKeyIsGoneDuringRemembranceAndNewAfterIt() {
        Engine remembering = engine.with(Operation.named("r").retention(Duration.ofHours(1), Duration.ofHours(2)));
        remembering.run(CALL, UTF8, this::countedRun);

        time.advance(Duration.ofHours(1));
        assertThat(remembering.run(CALL, UTF8, this::countedRun)).isEqualTo(new Refused<>(Reason.GONE));
        time.advance(Duration.ofHours(2));
        assertThat(remembering.run(CALL, UTF8, this::countedRun)).isEqualTo(new Done<>("run 2", false));
    }

    private Outcome<String> run(Call call) {
        return judging.run(call, UTF8, this::countedRun);
    }
}
