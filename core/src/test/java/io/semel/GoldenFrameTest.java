// SPDX-License-Identifier: Apache-2.0
package io.semel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames as earlier versions wrote them; the files are never changed, only added to. */
class GoldenFrameTest {

    private static final Key KEY = Key.of("payments", "order-17");
    private static final String ANSWER =
            "{\"paid\":true,\"currency\":\"EUR\",\"cents\":500,\"note\":\"" + "x".repeat(100) + "\"}";

    private final Frames frames = new Frames(AesGcmSeal.of("2026-11", Map.of("2026-11", new byte[32])));

    @ParameterizedTest
    @CsvSource({
        "value, VALUE",
        "value-compressed, VALUE",
        "value-compressed-words, VALUE",
        "value-sealed, VALUE",
        "value-compressed-sealed, VALUE",
    })
    void answersStayReadable(String file, Frame.Kind kind) throws IOException {
        Frame frame = frames.read(KEY, golden(file));

        assertThat(frame.kind()).isEqualTo(kind);
        assertThat(new String(frame.body(), UTF_8)).isEqualTo(ANSWER);
    }

    @Test
    void rejectionsStayReadable() throws IOException {
        Rejection rejection =
                Frames.rejection(KEY, frames.read(KEY, golden("rejected")).body());

        assertThat(rejection.code()).isEqualTo("no-funds");
        assertThat(rejection.detail()).isEqualTo("balance is 3 \u20ac");
    }

    @Test
    void tombstonesStayReadable() throws IOException {
        assertThat(frames.read(KEY, golden("not-retained")))
                .usingRecursiveComparison()
                .isEqualTo(new Frame(Frame.Kind.NOT_RETAINED, Frames.notRetained(7, 1 << 21)));
        assertThat(frames.read(KEY, golden("unknown")))
                .usingRecursiveComparison()
                .isEqualTo(new Frame(Frame.Kind.UNKNOWN, Frames.unknown(7, "abandoned: its holder fell silent")));
        assertThat(Frames.whyUnknown(frames.read(KEY, golden("unknown")).body()))
                .contains("fell silent");
        assertThat(Frame.isUnknown(golden("unknown"))).isTrue();
        assertThat(Frame.isUnknown(golden("value"))).isFalse();
    }

    @Test
    void whatIsWrittenTodayIsWhatTheFilesHold() throws IOException {
        Frames plain = new Frames(null);

        assertThat(plain.write(KEY, Frame.Kind.VALUE, ANSWER.getBytes(UTF_8), Integer.MAX_VALUE))
                .isEqualTo(golden("value"));
        assertThat(plain.write(
                        KEY,
                        Frame.Kind.REJECTED,
                        Frames.rejection(new Rejection("no-funds", "balance is 3 \u20ac")),
                        99))
                .isEqualTo(golden("rejected"));
    }

    @Test
    void theWordsThatStreamsRelyOnNeverChange() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Words.FIRST);

        assertThat(HexFormat.of().formatHex(digest))
                .isEqualTo("87d5684fd913d6acc7e2667549215bc2347085de5091bb68ad9b434d3530410f");
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = GoldenFrameTest.class.getResourceAsStream("/golden/frame-1/" + name + ".hex")) {
            String hex = new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(hex.strip());
        }
    }
}
