// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import static io.semel.Outcome.Reason.GONE;
import static io.semel.Outcome.Reason.MISMATCH;
import static io.semel.Outcome.Reason.NOT_RETAINED;
import static io.semel.Outcome.Reason.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.AnswerKind;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.UnreadableAnswer;
import io.semel.internal.frame.AnswerOrigin;
import io.semel.internal.frame.Frames;
import io.semel.store.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecisionTest {

    private static final Fingerprint ASKED = Fingerprint.of("this");
    private static final Fingerprint OTHER = Fingerprint.of("that");
    private static final Call CALL = Call.of(Key.of("s", "id"), ASKED);
    private static final Duration LEFT = Duration.ofSeconds(3);

    @Test
    void aGrantIsRun() {
        assertThat(Decision.on(CALL, new Claim.Granted(7, true))).isEqualTo(new Decision.Run(7, true));
    }

    @Test
    void aHeldSlotIsWaitedFor() {
        assertThat(Decision.on(CALL, new Claim.Held(ASKED, LEFT))).isEqualTo(new Decision.Wait(LEFT));
    }

    @Test
    void anotherFingerprintIsAMismatchEvenWhileTheFirstIsInProgress() {
        assertThat(Decision.on(CALL, new Claim.Held(OTHER, LEFT))).isEqualTo(new Decision.Refuse(MISMATCH));
    }

    @Test
    void aResultIsReplayed() {
        byte[] value = frame(AnswerKind.VALUE);
        byte[] rejected = frame(AnswerKind.REJECTED);

        assertThat(Decision.on(CALL, settled(ASKED, value))).isEqualTo(new Decision.Replay(value));
        assertThat(Decision.on(CALL, settled(ASKED, rejected))).isEqualTo(new Decision.Replay(rejected));
    }

    @Test
    void aSettledSlotWithoutAnAnswerIsRefusedForItsOwnReason() {
        assertThat(Decision.on(CALL, settled(ASKED, null))).isEqualTo(new Decision.Refuse(GONE));
        assertThat(Decision.on(CALL, settled(ASKED, frame(AnswerKind.NOT_RETAINED))))
                .isEqualTo(new Decision.Refuse(NOT_RETAINED));
        assertThat(Decision.on(CALL, settled(ASKED, frame(AnswerKind.UNKNOWN))))
                .isEqualTo(new Decision.Refuse(UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource(AnswerKind.class)
    void aMismatchDisclosesNothingOfWhatIsStored(AnswerKind kind) {
        assertThat(Decision.on(CALL, settled(OTHER, frame(kind)))).isEqualTo(new Decision.Refuse(MISMATCH));
        assertThat(Decision.on(CALL, settled(OTHER, null))).isEqualTo(new Decision.Refuse(MISMATCH));
    }

    @Test
    void anUnreadableResultIsNeitherReplayedNorRun() {
        assertThatThrownBy(() -> Decision.on(CALL, settled(ASKED, new byte[] {9, 0})))
                .isInstanceOf(UnreadableAnswer.class)
                .hasMessageContaining("format 9");
        assertThatThrownBy(() -> Decision.on(CALL, settled(ASKED, new byte[] {1, 0x4f})))
                .isInstanceOf(UnreadableAnswer.class);
        assertThatThrownBy(() -> Decision.on(CALL, settled(ASKED, new byte[] {})))
                .isInstanceOf(UnreadableAnswer.class);
    }

    private static Claim settled(Fingerprint print, byte @Nullable [] result) {
        return new Claim.Settled(print, result, LEFT);
    }

    private static byte[] frame(AnswerKind kind) {
        return new Frames(null).write(Key.of("scope", "id"), kind, AnswerOrigin.NONE, new byte[0], 9);
    }
}
