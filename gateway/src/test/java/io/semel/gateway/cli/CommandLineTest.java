// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int semel(String... args) {
        return Semel.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gateway",
                "keys",
                "keys list",
                "keys show",
                "keys resolve",
                "keys release",
                "keys purge",
                "keys export",
                "schema",
                "doctor",
                "demo"
            })
    void everyCommandHasHelp(String command) {
        String[] args = (command + " --help").strip().split(" ", -1);

        assertThat(semel(args)).isZero();
        assertThat(out.toString()).startsWith("Usage: semel");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gatewy",
                "keys lst",
                "gateway --upstrm x",
                "keys resolve x",
                "schema --dialect oracle",
                "gateway",
                "gateway --upstream nowhere",
                "doctor --store nonsense:",
                "demo --clients 0",
                "demo --keys 0",
                "demo --without --keep",
                "schema --apply --store memory:"
            })
    void wrongOptionsAreOneSentenceAndExitCode2(String command) {
        assertThat(semel(command.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).startsWith("semel: ").hasLineCount(1).doesNotContain("Exception");
    }

    @Test
    void aStoreThatCannotBeOpenedIsOneSentenceAndExitCode1() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");

        assertThat(semel("doctor", "--store", "rocksdb:" + file)).isEqualTo(1);
        assertThat(err.toString()).startsWith("semel: ").hasLineCount(1);
    }

    @Test
    void aDatabaseThatIsNotThereIsOneSentenceWithoutThePassword() {
        assertThat(semel("doctor", "--store", "postgresql://me:hush@127.0.0.1:1/db"))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("semel: ").hasLineCount(1).doesNotContain("hush");
    }

    @Test
    void theSchemaIsPrintedForEachDialect() {
        assertThat(semel("schema", "--dialect", "mariadb")).isZero();
        assertThat(out.toString())
                .contains("CREATE TABLE", "semel_slot")
                .doesNotContain("semel_session", "semel_producer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "h2"})
    void theTablesOfSessionsAndProducersArePrintedOnRequest(String dialect) {
        assertThat(semel("schema", "--dialect", dialect, "--sessions", "--producers"))
                .isZero();
        assertThat(out.toString()).containsSubsequence("semel_slot", "semel_session_layout", "semel_producer_layout");
    }

    @Test
    void whatIsDoneToAStoreIsNotedBesideItUnlessToldOtherwise() throws Exception {
        Path data = directory.resolve("data");
        Path other = directory.resolve("other.log");
        Path settings = Files.writeString(
                directory.resolve("semel.yaml"), "store: 'rocksdb:" + data + "'\naudit: '" + other + "'\n");
        semel("keys", "release", "one", "--scope", "x", "--store", "rocksdb:" + data, "--why", "it is late");
        semel("keys", "release", "two", "--scope", "x", "--config", settings.toString());

        assertThat(data.resolve("audit.log")).content().contains("\"id\":\"one\"", "it is late");
        assertThat(other).content().contains("\"id\":\"two\"").doesNotContain("one");
    }

    @Test
    void whatCannotBeNotedIsNotDoneAndThatIsOneSentence() {
        Path nowhere = directory.resolve("missing/audit.log");
        assertThat(semel("keys", "purge", "--store", "rocksdb:" + directory.resolve("d"), "--audit", "" + nowhere))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("semel: Nothing was done").hasLineCount(1);
    }

    @Test
    void theDoctorFindsNothingWrongWithAnEmptyStore() {
        assertThat(semel("doctor", "--store", "rocksdb:" + directory.resolve("data"), "--json"))
                .isZero();
        assertThat(out.toString()).startsWith("[{").contains("LEASED").doesNotContain("FAIL");
    }

    @Test
    void aKeyThatIsNotThereIsExitCode3() {
        String store = "rocksdb:" + directory.resolve("data");

        assertThat(semel("keys", "show", "nothing", "--store", store)).isEqualTo(3);
        assertThat(semel(
                        "keys",
                        "release",
                        "nothing",
                        "--scope",
                        "x",
                        "--store",
                        store,
                        "--audit",
                        directory.resolve("audit").toString()))
                .isEqualTo(3);
        assertThat(err.toString()).contains("Nothing is known of x/nothing.");
    }

    @Test
    void aGatewayThatDoesNotAnswerIsSaid() {
        assertThat(semel("keys", "list", "--admin", "127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).contains("No gateway answers at http://127.0.0.1:1");
    }
}
