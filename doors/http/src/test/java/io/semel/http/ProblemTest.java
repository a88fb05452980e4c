// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class ProblemTest extends PaymentService {

    @Test
    void case42_theProblemsOfCases20And24And29DifferAndAreValid() {
        HttpIdempotency requiring = door(HttpRules.standard().keys(KeyUse.REQUIRED));
        Answer missing = send(requiring, Message.post("/payments"));
        RequestDecision.Run run = (RequestDecision.Run) door.enter(PAY, PAY.body());
        Answer inProgress = send(PAY);
        Answer reused = send(PAY.body("{}"));
        run.release();

        List<Answer> answers = List.of(missing, inProgress, reused);
        assertThat(answers)
                .extracting(PaymentService::problem)
                .containsExactly("missing-key", "in-progress", "key-reused");
        for (Answer answer : answers) {
            assertThat(parse(text(answer)).get("status")).isEqualTo(Integer.toString(answer.status()));
            assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemIsValidJsonWithItsOwnUriAndStatus(Problem.Type type) {
        Answer answer =
                new Problems(HttpRules.standard()).of(type, "What happened.").answer();
        Map<String, String> json = parse(text(answer));

        assertThat(json)
                .containsOnlyKeys("type", "title", "status", "detail")
                .containsEntry("type", "urn:semel:problem:" + type.slug())
                .containsEntry("status", Integer.toString(answer.status()))
                .containsEntry("detail", "What happened.");
        assertThat(answer.header("Cache-Control")).hasValue("no-store");
    }

    @Test
    void theUrisOfProblemsDiffer() {
        assertThat(Arrays.stream(Problem.Type.values()).map(Problem.Type::slug)).doesNotHaveDuplicates();
    }

    @Test
    void theBaseOfTheUrisIsConfigurable() {
        HttpRules rules = HttpRules.standard().problemBase("https://api.example.com/problems/");

        assertThat(new Problems(rules).missingKey().uri()).isEqualTo("https://api.example.com/problems/missing-key");
    }

    @Test
    void hostileTextIsEscaped() {
        String hostile = "</script>\"\\\u0000\r\n\t\b\f\u007f\u00e9\u2028\ud83d\ude00\ud800";
        Answer answer = new Problems(HttpRules.standard())
                .of(Problem.Type.MALFORMED_KEY, hostile)
                .answer();

        assertThat(text(answer)).matches("[ -~]*");
        assertThat(parse(text(answer)).get("detail")).isEqualTo(hostile);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 1", "PT0.001S, 1", "PT1S, 1", "PT1.001S, 2", "PT30S, 30"})
    void theRetryIsRoundedUpToSeconds(Duration pause, String seconds) {
        Answer answer = new Problems(HttpRules.standard()).inProgress(pause).answer();

        assertThat(answer.header("Retry-After")).hasValue(seconds);
    }

    @Test
    void theProfileExplainsEveryProblem() throws IOException {
        String profile = Files.readString(Path.of("../../docs/http-profile.md"));

        for (Problem.Type type : Problem.Type.values()) {
            assertThat(profile).contains("| `" + type.slug() + "` | " + type.status() + " |");
        }
    }

    private static Map<String, String> parse(String json) {
        Map<String, String> members = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.put(name, parser.getString());
            }
            assertThat(parser.nextToken()).isNull();
        }
        return members;
    }
}
