// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a client sends is passed, run, replayed or refused with a documented problem; what is refused leaves nothing behind. */
class HostileRequestsTest extends PaymentService {

    private static final String[] KEYS = {
        "a",
        "\"a\"",
        "\"",
        "",
        "a,b",
        "\"a\";x=1",
        "\u0000",
        "\u20ac",
        "018f0000-0000-7000-8000-000000000000",
        "ffffffff-ffff-7fff-bfff-ffffffffffff",
        "x".repeat(300),
        "@1",
        "\"a\\\"b\""
    };
    private static final String[] TYPES = {
        "application/json",
        "application/json; charset=nonsense",
        "multipart/form-data; boundary=b",
        "multipart/form-data",
        "text/plain",
        ";",
        "a/b;c=\"",
        "application/json, text/html",
        "\u0000"
    };
    private static final String[] BODIES = {
        "{}",
        "{",
        "{\"a\":1e999999999}",
        "[[[",
        "--b\r\n\r\nx\r\n--b--",
        "--b\r\nx",
        "",
        "\u00ff\u00fe",
        "{\"a\":1,\"a\":2}",
        "9".repeat(2000)
    };
    private static final String[] TIMES = {"@0", "@999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT", "now", "", "@1.5"
    };
    private static final String[] LENGTHS = {"5", "-5", "99999999999", "9".repeat(40), "x"};

    @ParameterizedTest
    @EnumSource
    void everyRequestGetsADocumentedAnswer(KeyDialect dialect) {
        HttpRules rules = HttpRules.standard()
                .dialect(dialect)
                .keys(KeyUse.REQUIRED)
                .methods("POST", "PUT", "DELETE", "\u0000")
                .compareBodies(BodyComparison.json("/a"), BodyComparison.multipart())
                .compareHeaders("Accept")
                .firstSentHeader("First-Sent");
        door = door(rules);
        Random random = new Random(20261115);
        for (int i = 0; i < 20_000; i++) {
            Message message = message(random);
            long before = records();
            RequestDecision entry = door.enter(message, message.body());
            if (entry instanceof RequestDecision.Refuse refuse) {
                assertThat(refuse.problem().status()).isBetween(400, 422);
                assertThat(text(refuse.problem().answer())).matches("[ -~]+");
                assertThat(records()).isEqualTo(before);
            } else if (entry instanceof RequestDecision.Run run) {
                assertThat(run.complete(Answer.of(200, new byte[0]))).isEmpty();
            }
        }
        assertThat(records()).isPositive();
    }

    @Test
    void aRequestEntersOnce() {
        Admission.Reading reading = (Admission.Reading) door.admit(PAY);
        ((RequestDecision.Run) reading.enter()).release();

        assertThatThrownBy(reading::enter).isInstanceOf(IllegalStateException.class);
    }

    private static Message message(Random random) {
        Message message = Message.of(
                pick(random, "POST", "PUT", "DELETE", "GET", "", "\u0000"),
                pick(random, "/", "", "/\u0000", "/%", "/a"));
        for (int n = random.nextInt(8); n > 3; n--) {
            message = message.key("\"a\"");
        }
        message = random.nextInt(4) > 0 ? message.key(pick(random, KEYS)) : message;
        message = random.nextBoolean() ? message.header("Content-Type", pick(random, TYPES)) : message;
        message = random.nextInt(5) == 0 ? message.header("First-Sent", pick(random, TIMES)) : message;
        message = random.nextInt(5) == 0 ? message.header("Content-Length", pick(random, LENGTHS)) : message;
        message = random.nextInt(5) == 0 ? message.header("Accept", pick(random, KEYS)) : message;
        message = random.nextInt(3) == 0 ? message.query(pick(random, "", "a=%", "\u0000")) : message;
        message = random.nextInt(3) == 0
                ? message.from(Caller.of(pick(random, "a", "/", "\ud800", "x".repeat(3000))))
                : message;
        return message.body(pick(random, BODIES).getBytes(ISO_8859_1));
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
