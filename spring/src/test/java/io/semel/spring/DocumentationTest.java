// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.internal.store.ApplicationStore;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DocumentationTest {

    @Test
    void everyPropertyIsDescribedForPeopleAndForEditors() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "spring.md"));
        try (InputStream in =
                SemelProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonNode properties = JsonMapper.builder().build().readTree(in).get("properties");
            assertThat(properties).hasSizeGreaterThan(10).allSatisfy(property -> {
                assertThat(page).contains("| `" + property.get("name").asString() + "` |");
                assertThat(property.get("description").asString()).isNotBlank();
            });
        }
    }

    @Test
    void theLogLineOfTheDocumentationIsTheRealOne() {
        Apps.onH2()
                .run(context -> assertThat(Files.readString(Path.of("..", "docs", "spring.md")))
                        .contains(context.getBean(ApplicationStore.class)
                                .describe()
                                .replace(
                                        " Methods that demand LEASED use the same table, outside of their transaction.",
                                        "")));
    }
}
