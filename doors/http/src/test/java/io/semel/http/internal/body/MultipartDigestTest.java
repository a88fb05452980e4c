// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartDigestTest {

    private static final String FORM = """
            --B
            Content-Disposition: form-data; name="a"

            1
            --B
            Content-Disposition: form-data; name="f"; filename="x"
            Content-Type: image/png

            \u0089PNG
            --not the boundary

            --B--
            """.replace("\n", "\r\n");

    @Test
    void theBoundaryDoesNotCount() throws BadBody {
        assertThat(digest("another", FORM.replace("--B", "--another"))).isEqualTo(digest("B", FORM));
    }

    @Test
    void blankLinesAroundTheBodyAndPaddingDoNotCount() throws BadBody {
        assertThat(digest("B", "\r\n\r\n" + FORM + " \r\n")).isEqualTo(digest("B", FORM));
        assertThat(digest("B", FORM.replace("--B\r\n", "--B \t\r\n"))).isEqualTo(digest("B", FORM));
    }

    /** Lax readers end lines with a line feed alone, or go on behind the closing boundary. */
    @Test
    void aPartThatOnlyLaxReadersFindCounts() throws BadBody {
        String hidden = "\n--B\nContent-Disposition: form-data; name=\"amount\"\n\n%s\n";

        assertThat(digest("B", hidden.formatted(1) + FORM)).isNotEqualTo(digest("B", FORM));
        assertThat(digest("B", hidden.formatted(1) + FORM)).isNotEqualTo(digest("B", hidden.formatted(9) + FORM));
        assertThat(digest("B", FORM + hidden.formatted(1))).isNotEqualTo(digest("B", FORM + hidden.formatted(9)));
        assertThat(digest("B", "Hello,\r\n" + FORM)).isEqualTo(digest("B", "Hello,\r\n" + FORM));
    }

    @Test
    void everythingElseCounts() throws BadBody {
        String form = digest("B", FORM);

        assertThat(digest("B", FORM.replace("\r\n1\r\n", "\r\n2\r\n"))).isNotEqualTo(form);
        assertThat(digest("B", FORM.replace("\r\n1\r\n", "\r\n1\r\n\r\n"))).isNotEqualTo(form);
        assertThat(digest("B", FORM.replace("image/png", "image/gif"))).isNotEqualTo(form);
        assertThat(digest("B", FORM.replace("\"a\"", "\"b\""))).isNotEqualTo(form);
        assertThat(digest("B", part("1") + part("2") + "--B--"))
                .isNotEqualTo(digest("B", part("2") + part("1") + "--B--"));
        assertThat(digest("B", part("1") + "--B--")).isNotEqualTo(digest("B", part("1") + part("") + "--B--"));
    }

    @Test
    void namesOfFieldsHaveAnyCaseAndFoldedLinesAreOne() throws BadBody {
        assertThat(digest("B", FORM.replace("Content-Type: ", "content-type:"))).isEqualTo(digest("B", FORM));
        assertThat(digest("B", FORM.replace("; filename", ";\r\n\tfilename"))).isEqualTo(digest("B", FORM));
    }

    @Test
    void partsMayHaveNoHeadersAndNoContent() throws BadBody {
        assertThat(digest("B", "--B\r\n\r\n\r\n--B--")).isNotEqualTo(digest("B", "--B\r\n\r\nx\r\n--B--"));
    }

    @Test
    void chunksDoNotCount() throws BadBody {
        byte[] body = FORM.getBytes(ISO_8859_1);
        for (int size = 1; size < body.length; size++) {
            MultipartDigest digest = new MultipartDigest("B");
            for (int from = 0; from < body.length; from += size) {
                digest.update(body, from, Math.min(size, body.length - from));
            }
            assertThat(HexFormat.of().formatHex(digest.finish())).isEqualTo(digest("B", FORM));
        }
    }

    @Test
    void largePartsAreDigestedWithoutBeingHeld() throws BadBody {
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        MultipartDigest whole = new MultipartDigest("B");
        feed(whole, "--B\r\n\r\n", content, "\r\n--B--");
        MultipartDigest changed = new MultipartDigest("C");
        content[content.length - 1]++;
        feed(changed, "--C\r\n\r\n", content, "\r\n--C--");

        assertThat(whole.finish()).isNotEqualTo(changed.finish());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no boundary at all",
                "--B",
                "--B\r\n",
                "--B\r\nContent-Type: text/plain",
                "--B\r\nContent-Type: text/plain\r\n\r\ncontent",
                "--B\r\n\r\ncontent\r\n--B",
                "--B\r\n\r\ncontent\r\n--B-",
                "--B\r\nno colon\r\n\r\n\r\n--B--",
                "--B\r\n: no name\r\n\r\n\r\n--B--",
                "--Bx\r\n\r\n\r\n--Bx--",
                "x--B\r\n\r\n\r\n--B",
            })
    void brokenBodiesAreRefused(String body) {
        assertThatThrownBy(() -> digest("B", body)).isInstanceOf(BadBody.class);
    }

    @Test
    void headersAndBoundaryLinesAreBounded() {
        assertThatThrownBy(() -> digest("B", "--B\r\nA: " + "x".repeat(100_000)))
                .isInstanceOf(BadBody.class);
        assertThatThrownBy(() -> digest("B", "--B" + " ".repeat(100_000))).isInstanceOf(BadBody.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"\u00e9\"",
                "multipart/form-data; boundary=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            })
    void aBoundaryIsOfOneToSeventyVisibleCharacters(String type) {
        assertThatThrownBy(() -> new MultipartDigester().start(MediaType.of(List.of(type))))
                .isInstanceOf(BadBody.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverComesIsDigestedOrRefusedAndChunksNeverCount(long seed) {
        Random random = new Random(seed);
        String[] pieces = {
            "--B", "\r\n", "--", "\r", "\n", "A: b", ":", "x", " ", "--B--", "\r\n\r\n", "B", "\u0000", "\u00ff"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder body = new StringBuilder("--B\r\n");
            for (int n = random.nextInt(14); n > 0; n--) {
                body.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThat(outcome(body.toString(), 1 + random.nextInt(5))).isEqualTo(outcome(body.toString(), 1000));
        }
    }

    private static String outcome(String body, int chunk) {
        byte[] bytes = body.getBytes(ISO_8859_1);
        MultipartDigest digest = new MultipartDigest("B");
        try {
            for (int from = 0; from < bytes.length; from += chunk) {
                byte[] copy = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + chunk));
                digest.update(copy, 0, copy.length);
            }
            return HexFormat.of().formatHex(digest.finish());
        } catch (BadBody e) {
            return "refused";
        }
    }

    private static String part(String content) {
        return "--B\r\n\r\n" + content + "\r\n";
    }

    private static void feed(MultipartDigest digest, String before, byte[] content, String after) throws BadBody {
        digest.update(before.getBytes(ISO_8859_1), 0, before.length());
        digest.update(content, 0, content.length);
        digest.update(after.getBytes(ISO_8859_1), 0, after.length());
    }

    private static String digest(String boundary, String body) throws BadBody {
        BodyDigest digest = new MultipartDigester()
                .start(MediaType.of(List.of("multipart/form-data; boundary=\"" + boundary + "\"")));
        byte[] bytes = body.getBytes(ISO_8859_1);
        digest.update(bytes, 0, bytes.length);
        return HexFormat.of().formatHex(digest.finish());
    }
}
