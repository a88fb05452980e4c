// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.http.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GatewayProblemsTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (\\d{3}) \\| ");

    @Test
    void thePageListsTheProblemsOfTheGatewayAndNoOthers() throws IOException {
        Map<String, Integer> listed = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/gateway.md")));
        while (rows.find()) {
            listed.put(rows.group(1), Integer.parseInt(rows.group(2)));
        }
        Map<String, Integer> ours = new TreeMap<>();
        for (Refusal refusal : Refusal.values()) {
            ours.put(refusal.slug(), refusal.status());
        }

        assertThat(listed).isEqualTo(ours);
    }

    @Test
    void theTypeOfAnAnswerIsTheOneThatIsListed() {
        for (Refusal refusal : Refusal.values()) {
            assertThat(new String(refusal.answer().body(), java.nio.charset.StandardCharsets.US_ASCII))
                    .contains("\"urn:semel:problem:" + refusal.slug() + "\"", "\"status\":" + refusal.status() + ",");
        }
    }
}
