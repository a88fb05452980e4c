// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands of docs/resolving.md for a Spring service, as they stand there. */
class ResolvingPageTest {

    private static final Pattern BLOCK = Pattern.compile("```(properties)?\n(.*?)\n```", Pattern.DOTALL);
    private static final String REQUEST = "8e03978e";

    private Lost lost;

    /** What the page speaks of: a call of each kind that nobody knows the outcome of, and one more to release. */
    @BeforeEach
    void lose() throws Exception {
        lost = Lost.start(section()
                .lines()
                .filter(line -> line.startsWith("management."))
                .findFirst()
                .orElseThrow());
        for (String id : List.of("17", "18")) {
            lost.service().pay(id);
            lost.unknown(Key.of("pay", id), "json");
        }
        lost.service().remind("17");
        lost.unknown(Key.of("remind", "17"), "nothing");
        lost.web().post("/payments", "{}", REQUEST);
        lost.unknown(Key.of("http/anonymous", REQUEST), "http");
    }

    @AfterEach
    void close() {
        lost.close();
    }

    private static String section() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "resolving.md"));
        return page.substring(page.indexOf("## A Spring service"), page.indexOf("## The gateway"));
    }

    /** Without the comments, and with what a backslash continues on one line. */
    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        BLOCK.matcher(section())
                .results()
                .filter(block -> block.group(1) == null)
                .forEach(block -> block.group(2)
                        .replace("\\\n", " ")
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(commands::add));
        return commands;
    }

    /** At the port that this service has instead of 8080. */
    private String typed(String command) throws Exception {
        return Curl.typed(
                command.replace("http://localhost:8080", lost.web().uri("").toString()));
    }

    @Test
    void everyCommandDoesWhatThePageSays() throws Exception {
        List<String> looks =
                commands().stream().filter(each -> !each.contains(" -d ")).toList();
        List<String> decisions =
                commands().stream().filter(each -> each.contains(" -d ")).toList();
        assertThat(looks)
                .hasSize(4)
                .allSatisfy(each -> assertThat(typed(each))
                        .contains(
                                "\"state\":\"UNKNOWN\"",
                                "\"fence\":",
                                "\"unknownBecause\":\"the bank did not answer\""));
        assertThat(decisions)
                .hasSize(4)
                .allSatisfy(each -> assertThat(typed(each)).isEqualTo("{\"result\":\"APPLIED\"}"));

        assertThat(lost.service().pay("17").number()).isEqualTo("R-17");
        assertThat(lost.service().pay("18").number()).isEqualTo("run for 18");
        lost.service().remind("17");
        assertThat(lost.service().reminded()).containsExactly("17");
        Got retry = lost.web().post("/payments", "{}", REQUEST);
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.text()).isEqualTo("{\"paid\":true}");
        assertThat(retry.header("Content-Type")).isEqualTo("application/json");
    }
}
