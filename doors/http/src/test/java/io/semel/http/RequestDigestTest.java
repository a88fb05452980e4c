// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.internal.body.BadBody;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RequestDigestTest {

    private static final Message PAY = Message.post("/payments").json("{\"b\":1.0,\"a\":2}");
    private static final HttpRules STANDARD = HttpRules.standard();
    private static final HttpRules BY_MEANING =
            STANDARD.compareBodies(BodyComparison.multipart(), BodyComparison.json());

    /** A version that digests differently would refuse the retries of requests that an older one has answered. */
    @Test
    void fingerprintsStayTheSameInEveryVersion() throws BadBody {
        assertThat(digest(PAY, STANDARD, null)).isEqualTo("69df6d11d4dcd53c6e0ef896e670b50b");
        assertThat(digest(
                        PAY.query("x=1").header("Api-Version", "3"),
                        BY_MEANING.compareHeaders("API-Version", "X-Other"),
                        Instant.ofEpochSecond(1_763_000_000)))
                .isEqualTo("8166a90516e0f80a58c4609a2333202b");
    }

    @Test
    void partsDoNotRunIntoEachOther() throws BadBody {
        assertThat(digest(Message.of("POST", "/a").body("b"), STANDARD, null))
                .isNotEqualTo(digest(Message.of("POST", "/ab"), STANDARD, null));
        assertThat(digest(Message.of("POST", "/a").query("b"), STANDARD, null))
                .isNotEqualTo(digest(Message.of("POST", "/a?b"), STANDARD, null));
    }

    @Test
    void anEmptyQueryIsNotTheSameAsNone() throws BadBody {
        assertThat(digest(PAY.query(""), STANDARD, null)).isNotEqualTo(digest(PAY, STANDARD, null));
    }

    @Test
    void pathsAreComparedAsTheyWereSent() throws BadBody {
        assertThat(digest(PAY.at("/%70ayments"), STANDARD, null)).isNotEqualTo(digest(PAY, STANDARD, null));
        assertThat(digest(PAY.at("/payments/"), STANDARD, null)).isNotEqualTo(digest(PAY, STANDARD, null));
    }

    @Test
    void twoFormsNeverGiveTheSameDigest() throws BadBody {
        Message empty = Message.post("/a").header("Content-Type", "application/json");

        assertThat(digest(empty, BY_MEANING, null)).isNotEqualTo(digest(empty, STANDARD, null));
    }

    @Test
    void whatIsEncodedIsComparedByteByByte() throws BadBody {
        for (String type : new String[] {"application/json", "multipart/form-data; boundary=B"}) {
            Message packed = Message.post("/a")
                    .header("Content-Type", type)
                    .header("Content-Encoding", "gzip")
                    .body("no JSON and no form, as far as we can read");

            assertThat(digest(packed, BY_MEANING, null)).isEqualTo(digest(packed, STANDARD, null));
            assertThat(digest(packed.body("something else"), BY_MEANING, null))
                    .isNotEqualTo(digest(packed, BY_MEANING, null));
        }
        Message plain = PAY.header("Content-Encoding", "identity");
        assertThat(digest(plain.body("{\"a\":2,\"b\":1}"), BY_MEANING, null))
                .isEqualTo(digest(plain, BY_MEANING, null));
    }

    @Test
    void jsonInAnotherCharsetIsTheSameJson() throws BadBody {
        Message utf8 = Message.post("/a").json("{\"a\":\"\u00e9\"}");
        Message latin = Message.post("/a")
                .header("Content-Type", "application/json; charset=ISO-8859-1")
                .body("{\"a\":\"\u00e9\"}".getBytes(ISO_8859_1));

        assertThat(digest(latin, BY_MEANING, null)).isEqualTo(digest(utf8, BY_MEANING, null));
    }

    private static String digest(Message message, HttpRules rules, Instant firstSent) throws BadBody {
        RequestDigest digest = RequestDigest.of(message, rules, firstSent);
        digest.update(message.body(), 0, message.body().length);
        return digest.finish().toString();
    }
}
