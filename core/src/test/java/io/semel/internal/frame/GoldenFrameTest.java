// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.AnswerKind;
import io.semel.Key;
import io.semel.Rejection;
import io.semel.seal.AesGcmSeal;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames as earlier versions wrote them; the files are never changed, only added to. */
class GoldenFrameTest {

    private static final Key KEY = Key.of("payments", "order-17");
    private static final String ANSWER =
            "{\"paid\":true,\"currency\":\"EUR\",\"cents\":500,\"note\":\"" + "x".repeat(100) + "\"}";

    private static final AnswerOrigin ORIGIN = new AnswerOrigin("json", "2026.11");

    private final Frames frames = new Frames(AesGcmSeal.of("2026-11", Map.of("2026-11", new byte[32])));

    @ParameterizedTest
    @CsvSource({
        "1, value",
        "1, value-compressed",
        "1, value-compressed-words",
        "1, value-sealed",
        "1, value-compressed-sealed",
        "2, value",
        "2, value-compressed-words",
        "2, value-sealed",
        "2, value-compressed-sealed",
    })
    void answersStayReadable(int format, String file) throws IOException {
        Frame frame = frames.read(KEY, golden(format, file));

        assertThat(frame.kind()).isEqualTo(AnswerKind.VALUE);
        assertThat(frame.origin()).isEqualTo(format == 1 ? AnswerOrigin.NONE : ORIGIN);
        assertThat(new String(frame.body(), UTF_8)).isEqualTo(ANSWER);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rejectionsStayReadable(int format) throws IOException {
        Rejection rejection = Frames.rejection(
                KEY, frames.read(KEY, golden(format, "rejected")).body());

        assertThat(rejection.code()).isEqualTo("no-funds");
        assertThat(rejection.detail()).isEqualTo("balance is 3 \u20ac");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tombstonesStayReadable(int format) throws IOException {
        AnswerOrigin origin = format == 1 ? AnswerOrigin.NONE : ORIGIN;
        assertThat(frames.read(KEY, golden(format, "not-retained")))
                .usingRecursiveComparison()
                .isEqualTo(new Frame(AnswerKind.NOT_RETAINED, origin, Frames.notRetained(7, 1 << 21, false)));
        assertThat(frames.read(KEY, golden(format, "unknown")))
                .usingRecursiveComparison()
                .isEqualTo(
                        new Frame(AnswerKind.UNKNOWN, origin, Frames.unknown(7, "abandoned: its holder fell silent")));
        assertThat(Frames.whyUnknown(frames.read(KEY, golden(format, "unknown")).body()))
                .contains("fell silent");
        assertThat(Frame.isUnknown(golden(format, "unknown"))).isTrue();
        assertThat(Frame.isUnknown(golden(format, "value"))).isFalse();
    }

    @Test
    void whatIsWrittenTodayIsWhatTheFilesHold() throws IOException {
        Frames plain = new Frames(null);

        assertThat(plain.write(KEY, AnswerKind.VALUE, ORIGIN, ANSWER.getBytes(UTF_8), Integer.MAX_VALUE))
                .isEqualTo(golden(2, "value"));
        assertThat(plain.write(
                        KEY,
                        AnswerKind.REJECTED,
                        ORIGIN,
                        Frames.rejection(new Rejection("no-funds", "balance is 3 \u20ac")),
                        99))
                .isEqualTo(golden(2, "rejected"));
    }

    @Test
    void theWordsThatStreamsRelyOnNeverChange() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(PresetDictionary.FIRST);

        assertThat(HexFormat.of().formatHex(digest))
                .isEqualTo("87d5684fd913d6acc7e2667549215bc2347085de5091bb68ad9b434d3530410f");
    }

    private static byte[] golden(int format, String name) throws IOException {
        try (InputStream in =
                GoldenFrameTest.class.getResourceAsStream("/golden/frame-" + format + "/" + name + ".hex")) {
            String hex = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(hex.strip());
        }
    }
}
