// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.http.BodyComparison;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

    private final CanonicalJson json = new CanonicalJson(Set.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{} | {}",
                "[ ] | []",
                "' [ [] , {} ] ' | [[],{}]",
                "{\"b\":1,\"a\":{\"d\":true,\"c\":null}} | {\"a\":{\"c\":null,\"d\":true},\"b\":1}",
                "[3,1,2] | [3,1,2]",
                "\"\\u0041\\/\" | \"A/\"",
                "\"\\u00e9\" | \"\u00e9\"",
                "\"\\u001f\\n\\\"\\\\\" | \"\\u001f\\n\\\"\\\\\"",
                "1 | 1",
                "-0 | 0",
                "0.0e5 | 0",
                "1.0 | 1",
                "1.50 | 1.5",
                "100 | 1E+2",
                "1e2 | 1E+2",
                "1E+2 | 1E+2",
                "0.000001 | 0.000001",
                "9007199254740993 | 9007199254740993",
                "1e400 | 1E+400",
                "false | false",
                "{\"\u20ac\":1,\"\\r\":2,\"1\":3,\"\u0080\":4} | {\"\\r\":2,\"1\":3,\"\u0080\":4,\"\u20ac\":1}",
            })
    void equalMeaningGivesEqualText(String body, String canonical) throws BadBody {
        assertThat(json.text(body)).isEqualTo(canonical);
    }

    @Test
    void namesAreSortedByUtf16AsRfc8785Says() throws BadBody {
        assertThat(json.text("{\"\ufb33\":1,\"\ud83d\ude00\":2}")).isEqualTo("{\"\ud83d\ude00\":2,\"\ufb33\":1}");
    }

    @Test
    void largeNumbersThatDifferStayDifferent() throws BadBody {
        assertThat(json.text("9007199254740992")).isNotEqualTo(json.text("9007199254740993"));
        assertThat(json.text("0.1")).isNotEqualTo(json.text("0.1000000000000000055511151231257827"));
    }

    @Test
    void halvesOfSurrogatePairsStayDifferent() throws BadBody {
        assertThat(json.text("\"\\ud800\"")).isEqualTo("\"\\ud800\"").isNotEqualTo(json.text("\"?\""));
        assertThat(json.text("\"\\ud83d\\ude00\"")).isEqualTo("\"\ud83d\ude00\"");
    }

    @Test
    void noTextIsNoText() throws BadBody {
        assertThat(json.text("")).isEmpty();
        assertThat(json.text(" \n")).isEmpty();
        assertThat(json.text("\ufeff{}")).isEqualTo("{}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "[1 2]",
                "1 2",
                "{} {}",
                "nil",
                "+1",
                ".5",
                "1.",
                "01",
                "1e",
                "NaN",
                "Infinity",
                "'a'",
                "\"a",
                "\"\t\"",
                "\"\\x\"",
                "// c\n1",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":1}",
                "{\"a\":{\"b\":1,\"\\u0062\":2}}",
                "1e99999999999",
            })
    void whatIsNotJsonIsRefused(String body) {
        assertThatThrownBy(() -> json.text(body)).isInstanceOf(BadBody.class);
    }

    @Test
    void nestingAndNumbersAreBounded() throws BadBody {
        assertThat(json.text("[".repeat(200) + "]".repeat(200))).hasSize(400);
        assertThatThrownBy(() -> json.text("[".repeat(201) + "]".repeat(201))).isInstanceOf(BadBody.class);
        assertThatThrownBy(() -> json.text("[".repeat(500_000))).isInstanceOf(BadBody.class);
        assertThatThrownBy(() -> json.text("9".repeat(1001))).isInstanceOf(BadBody.class);
        assertThat(json.text("1e999999999")).isEqualTo("1E+999999999");
    }

    @Test
    void ignoredMembersAreLeftOutWhereverTheyPointTo() throws BadBody {
        CanonicalJson ignoring = new CanonicalJson(Set.of("/a", "/b/c", "/d/0", "/e~1f", "/g/0/h"));

        assertThat(
                        ignoring.text(
                                "{\"a\":[1,{\"x\":2}],\"b\":{\"a\":1,\"c\":{\"c\":1}},\"d\":[{},1],\"e/f\":1,\"g\":[{\"h\":1,\"i\":2}]}"))
                .isEqualTo("{\"b\":{\"a\":1},\"d\":[1],\"g\":[{\"i\":2}]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/b"})
    void aPointerBeginsWithASlash(String pointer) {
        assertThatThrownBy(() -> BodyComparison.json(pointer)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverComesIsTextOrRefused(long seed) {
        Random random = new Random(seed);
        String spice = "{}[]\",:\\u0eE+-.123truefalsn \n\u0000\u00e9\ud800";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder body = new StringBuilder();
            for (int n = random.nextInt(15); n > 0; n--) {
                body.append(spice.charAt(random.nextInt(spice.length())));
            }
            try {
                String text = json.text(body.toString());
                assertThat(json.text(text))
                        .as("canonical text is its own canonical text")
                        .isEqualTo(text);
            } catch (BadBody e) {
                assertThat(e.isTooLarge()).isFalse();
            }
        }
    }
}
