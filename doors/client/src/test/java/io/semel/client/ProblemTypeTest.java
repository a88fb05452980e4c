// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.client.Transport.Evidence;
import io.semel.client.internal.response.ProblemDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTypeTest {

    private static final Pattern ROW = Pattern.compile("\\| `([a-z-]+)` \\| [0-9]{3} \\| ([^|]+) \\| [^|]+ \\|");

    @Test
    void theProblemsAreThoseOfTheDoorAndThenTheGateways() {
        assertThat(Arrays.stream(ProblemType.values()).filter(problem -> !problem.isGateways()))
                .extracting(ProblemType::name)
                .containsExactlyElementsOf(Arrays.stream(io.semel.http.Problem.Type.values())
                        .map(io.semel.http.Problem.Type::name)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void aProblemAsTheDoorWritesItIsRead(io.semel.http.Problem.Type type) {
        ProblemType expected = ProblemType.valueOf(type.name());
        byte[] written = new io.semel.http.Problem(type, "urn:semel:problem:" + expected.slug(), 400, "detail", null)
                .answer()
                .body();

        assertThat(ProblemType.of(ProblemDocument.of(written), "urn:semel:problem:"))
                .isEqualTo(expected);
    }

    @Test
    void whatAProblemSaysAboutTheRequestIsWhatTheProfileSays() throws IOException {
        Map<String, Evidence> profile = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../../docs/http-profile.md"), UTF_8));
        while (rows.find()) {
            profile.put(rows.group(1), evidence(rows.group(1), rows.group(2)));
        }
        Map<String, Evidence> ours = new TreeMap<>();
        for (ProblemType problem : ProblemType.values()) {
            if (!problem.isGateways()) {
                ours.put(problem.slug(), problem.evidence());
            }
        }

        assertThat(ours).isEqualTo(profile);
    }

    private static Evidence evidence(String slug, String meaning) {
        if (meaning.startsWith("**the request was executed**")) {
            return Evidence.CARRIED_OUT;
        }
        boolean maybe = meaning.contains("may have been executed") || slug.equals("in-progress");
        return maybe ? Evidence.MAYBE : Evidence.NOT_RUN;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"it\"}",
                " {\n\"type\" : \"it\" , \"x\":1}",
                "{\"a\":{\"type\":\"other\"},\"type\":\"it\"}",
                "{\"a\":[1,-2.5e3,true,false,null,[],{}],\"b\":\"}\\\"\",\"type\":\"\\u0069t\"}"
            })
    void theTypeIsFoundWhereverItStands(String json) {
        assertThat(ProblemDocument.of(json.getBytes(UTF_8))).isEqualTo("it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "[]",
                "null",
                "{\"type\"",
                "{\"type\":",
                "{\"type\":1}",
                "{\"type\":\"it",
                "{\"typ\":\"it\"}",
                "{\"a\":{\"type\":\"it\"}}",
                "{\"a\" \"type\":\"it\"}",
                "{\"a\":\"\\x\",\"type\":\"it\"}",
                "{\"a\":\"\\u00g0\",\"type\":\"it\"}",
                "{type:\"it\"}",
                "<html>"
            })
    void whatIsNoProblemHasNoType(String text) {
        assertThat(ProblemDocument.of(text.getBytes(UTF_8))).isNull();
    }

    @Test
    void aDocumentThatIsDeepOrLargeIsNotRead() {
        String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + ",\"type\":\"it\"}";
        String large = "{\"a\":\"" + "x".repeat(70_000) + "\",\"type\":\"it\"}";

        assertThat(ProblemDocument.of(deep.getBytes(UTF_8))).isNull();
        assertThat(ProblemDocument.of(Given.of(400, large, "Content-Type: application/problem+json")))
                .isNull();
    }
}
