// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a gateway says about a database that lacks its tables, and whether doing as it says helps. */
@Timeout(180)
class SchemaTest {

    @TempDir
    private Path directory;

    static Stream<Named<Supplier<String>>> databases() {
        return Stream.of(Named.of("PostgreSQL", Databases::postgresql), Named.of("MariaDB", Databases::mariadb));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void aGatewaySaysWhatToRunAndRunningItHelps(Supplier<String> databases) throws Exception {
        String url = databases.get();
        Path settings = Files.writeString(directory.resolve("semel.yaml"), "sessions: {}\n");

        assertThat(check(1, url)).contains("./semel schema --apply --store URL").hasLineCount(1);
        assertThat(semel(0, "schema", "--apply", "--store", url))
                .isEqualTo("The tables of keys are there: " + shown(url) + ".");
        assertThat(check(0, url)).contains("Ready.");

        assertThat(check(1, url, "--config", settings.toString()))
                .contains("tables of sessions", "./semel schema --sessions --apply --store URL", "--create-schema")
                .doesNotContain("Schema.createSessions")
                .hasLineCount(1);
        assertThat(semel(0, "schema", "--sessions", "--producers", "--apply", "--store", url))
                .startsWith("The tables of keys, of sessions, of producers are there: ");
        assertThat(check(0, url, "--config", settings.toString())).contains("Ready.");
        semel(0, "schema", "--sessions", "--producers", "--apply", "--store", url);
    }

    private String check(int code, String url, String... more) {
        String[] args = Stream.concat(
                        Stream.of(
                                "gateway",
                                "--check",
                                "--upstream",
                                "http://127.0.0.1:9",
                                "--listen",
                                "127.0.0.1:0",
                                "--admin",
                                "127.0.0.1:0",
                                "--audit",
                                directory.resolve("audit.log").toString(),
                                "--store",
                                url),
                        Stream.of(more))
                .toArray(String[]::new);
        return semel(code, args);
    }

    private static String shown(String url) {
        return url.replaceFirst(":[^:@]+@", ":…@");
    }
}
