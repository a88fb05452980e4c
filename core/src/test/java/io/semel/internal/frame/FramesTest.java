// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.AnswerKind;
import io.semel.Key;
import io.semel.Rejection;
import io.semel.UnreadableAnswer;
import io.semel.seal.AesGcmSeal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {

    private static final Key KEY = Key.of("payments", "order-17");
    private static final byte[] OLD = new byte[16];
    private static final byte[] NEW = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    private static final AnswerOrigin ORIGIN = new AnswerOrigin("json", "v7");
    private static final int NEVER = Integer.MAX_VALUE;

    private final Frames plain = new Frames(null);
    private final Frames sealing = new Frames(AesGcmSeal.of("new", Map.of("new", NEW, "old", OLD)));

    @ParameterizedTest
    @EnumSource(AnswerKind.class)
    void aPlainFrameIsItsHeaderAndTheBody(AnswerKind kind) {
        byte[] stored = plain.write(KEY, kind, ORIGIN, new byte[] {5, 6}, NEVER);

        assertThat(stored).containsExactly(2, Frame.code(kind), 4, 'j', 's', 'o', 'n', 2, 'v', '7', 5, 6);
        assertThat(plain.read(KEY, stored).origin()).isEqualTo(ORIGIN);
        assertThat(plain.read(KEY, stored).kind()).isEqualTo(kind);
        assertThat(plain.read(KEY, stored).body()).containsExactly(5, 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 8191, 8192, 8193, 1_000_000})
    void aCompressedBodyComesBackByteForByte(int size) {
        byte[] body = "{\"a\":1}".repeat(size / 7 + 1).substring(0, size).getBytes(UTF_8);

        byte[] stored = plain.write(KEY, AnswerKind.VALUE, ORIGIN, body, 64);

        assertThat(plain.read(KEY, stored).body()).isEqualTo(body);
        if (size > 64) {
            assertThat(stored.length).isLessThan(size);
        }
    }

    @Test
    void whatDoesNotShrinkIsStoredAsItIs() {
        byte[] noise = new byte[500];
        new Random(1).nextBytes(noise);

        assertThat(plain.write(KEY, AnswerKind.VALUE, ORIGIN, noise, 64)).hasSize(510);
    }

    @Test
    void aSealedBodyIsNotReadableInTheStore() {
        byte[] stored = sealing.write(KEY, AnswerKind.VALUE, ORIGIN, "card 4242".getBytes(UTF_8), NEVER);

        assertThat(new String(stored, UTF_8)).doesNotContain("4242");
        assertThat(sealing.read(KEY, stored).body()).isEqualTo("card 4242".getBytes(UTF_8));
    }

    @Test
    void twoSealsOfOneBodyDiffer() {
        byte[] body = {1, 2, 3};

        assertThat(sealing.write(KEY, AnswerKind.VALUE, ORIGIN, body, NEVER))
                .isNotEqualTo(sealing.write(KEY, AnswerKind.VALUE, ORIGIN, body, NEVER));
    }

    @Test
    void anAnswerSealedWithAnOldKeyStaysReadableWhileThatKeyIsKept() {
        Frames before = new Frames(AesGcmSeal.of("old", Map.of("old", OLD)));
        byte[] stored = before.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[] {42}, NEVER);

        assertThat(sealing.read(KEY, stored).body()).containsExactly(42);
        Frames after = new Frames(AesGcmSeal.of("new", Map.of("new", NEW)));
        assertThatThrownBy(() -> after.read(KEY, stored))
                .isInstanceOf(UnreadableAnswer.class)
                .hasMessageContaining("'old'");
    }

    @Test
    void aPlainAnswerStaysReadableAfterSealingIsTurnedOn() {
        byte[] stored = plain.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[] {42}, NEVER);

        assertThat(sealing.read(KEY, stored).body()).containsExactly(42);
    }

    @Test
    void aSealedAnswerWithoutASealIsAClearError() {
        byte[] stored = sealing.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[] {42}, NEVER);

        assertThatThrownBy(() -> plain.read(KEY, stored))
                .isInstanceOf(UnreadableAnswer.class)
                .hasMessageContaining("has no seal");
    }

    @Test
    void aSealedAnswerCannotBeMovedToAnotherKey() {
        byte[] stored = sealing.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[] {42}, NEVER);

        assertThatThrownBy(() -> sealing.read(Key.of("payments", "order-18"), stored))
                .isInstanceOf(UnreadableAnswer.class)
                .hasMessageContaining("moved to another record");
    }

    @Test
    void noBitOfASealedFrameCanBeChangedUnnoticed() {
        byte[] body =
                "an answer of some length, so that it compresses: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".getBytes(UTF_8);
        byte[] stored = sealing.write(KEY, AnswerKind.VALUE, ORIGIN, body, 16);
        for (int bit = 0; bit < stored.length * 8; bit++) {
            byte[] changed = stored.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> {
                        Frame frame = sealing.read(KEY, changed);
                        assertThat(frame.body()).as("bit changed unnoticed").isEqualTo(body);
                        throw new AssertionError("read as if unchanged");
                    })
                    .isInstanceOf(UnreadableAnswer.class);
        }
    }

    @Test
    void whatHoldsNoAnswerIsNeverSealedSoThatOperatorsCanReadIt() {
        byte[] stored = sealing.write(KEY, AnswerKind.UNKNOWN, ORIGIN, "why".getBytes(UTF_8), NEVER);

        assertThat(plain.read(KEY, stored).body()).isEqualTo("why".getBytes(UTF_8));
    }

    @Test
    void aFrameThatClaimsToBeHugeIsRefusedWithoutMakingRoomForIt() {
        byte[] bomb = ByteBuffer.allocate(40)
                .put(new byte[] {1, Frame.COMPRESSED})
                .putInt(Integer.MAX_VALUE)
                .array();

        assertThatThrownBy(() -> plain.read(KEY, bomb)).isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    void damagedCompressionIsAClearError() {
        byte[] stored = plain.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[10_000], 0);
        for (int i = Frame.HEADER + ORIGIN.bytes().length; i < stored.length; i++) {
            byte[] cut = java.util.Arrays.copyOf(stored, i);
            assertThatThrownBy(() -> plain.read(KEY, cut))
                    .isInstanceOf(UnreadableAnswer.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void aHeaderThatBreaksOffIsAClearError() {
        byte[] stored = plain.write(KEY, AnswerKind.VALUE, ORIGIN, new byte[0], NEVER);
        for (int i = Frame.HEADER; i < stored.length; i++) {
            byte[] cut = java.util.Arrays.copyOf(stored, i);
            assertThatThrownBy(() -> plain.read(KEY, cut))
                    .isInstanceOf(UnreadableAnswer.class)
                    .hasMessageContaining("damaged");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "\u00fcber", "a form that is longer than 32 letters", "tab\t"})
    void aFormIsShortPrintableAscii(String form) {
        assertThatThrownBy(() -> new AnswerOrigin(form, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("form of a codec");
    }

    @Test
    void aRejectionComesBackEqualAndMarked() {
        Rejection read = Frames.rejection(KEY, Frames.rejection(new Rejection("no-funds", "0 < 5 \u20ac")));

        assertThat(read.code()).isEqualTo("no-funds");
        assertThat(read.detail()).isEqualTo("0 < 5 \u20ac");
        assertThat(read.replayed()).isTrue();
    }

    @Test
    void aDamagedRejectionIsAClearError() {
        assertThatThrownBy(() -> Frames.rejection(KEY, new byte[3])).isInstanceOf(UnreadableAnswer.class);
        assertThatThrownBy(() -> Frames.rejection(KEY, new byte[] {0, 0, 0, 9, 1}))
                .isInstanceOf(UnreadableAnswer.class);
        assertThatThrownBy(() -> Frames.rejection(KEY, new byte[] {-1, 0, 0, 0, 1}))
                .isInstanceOf(UnreadableAnswer.class);
    }

    @Test
    void aShortAnswerTakesHalfOfItsBytesWhenCompressed() {
        String answer =
                "{\"orderId\":\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\",\"status\":\"CONFIRMED\",\"total\":{\"amount\":"
                        + "\"129.90\",\"currency\":\"USD\"},\"createdAt\":\"2026-11-15T12:34:56.789Z\",\"items\":3}";
        byte[] body = answer.getBytes(UTF_8);
        Frames frames = plain;

        byte[] stored = frames.write(KEY, AnswerKind.VALUE, ORIGIN, body, 64);

        assertThat(stored).hasSizeLessThan(body.length * 6 / 10 + ORIGIN.bytes().length);
        assertThat(frames.read(KEY, stored).body()).isEqualTo(body);
    }

    @Test
    void whatOperatorsLookForIsNeverCompressed() {
        byte[] stored = plain.write(KEY, AnswerKind.UNKNOWN, ORIGIN, Frames.unknown(1, "because ".repeat(50)), 10);

        assertThat(stored[1]).isEqualTo((byte) Frame.code(AnswerKind.UNKNOWN));
    }
}
