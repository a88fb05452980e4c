// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.rocksdb.RocksStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
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
                "keys sweep",
                "keys export",
                "sessions",
                "sessions list",
                "sessions show",
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
                "schema --apply --store memory:",
                "keys list --view lost",
                "keys list --limit 0",
                "keys export --view lost",
                "keys sweep --view lost",
                "keys sweep --view in-flight",
                "keys sweep --view lapsed --older-than 1x",
                "keys sweep --view lapsed --resolve --status 99",
                "keys sweep --view lapsed --resolve --form xml",
                "keys resolve x --scope s --status 1000",
                "keys purge --limit -1",
                "keys list --admin http://"
            })
    void wrongOptionsAreOneSentenceAndExitCode2(String command) {
        assertThat(semel(command.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).startsWith("semel: ").hasLineCount(1).doesNotContain("Exception");
    }

    @Test
    void aWrongValueIsSaidWithItsOption() {
        assertThat(semel("keys", "sweep", "--view", "lapsed", "--older-than", "1x"))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("semel: --older-than: '1x' is not a duration")
                .contains("semel keys sweep --help")
                .doesNotContain("olderThan");
    }

    @Test
    void aStoreThatCannotBeOpenedIsOneSentenceAndExitCode1() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");

        assertThat(semel("keys", "list", "--store", "rocksdb:" + file)).isEqualTo(1);
        assertThat(err.toString()).startsWith("semel: ").hasLineCount(1);
        assertThat(semel("doctor", "--json", "--store", "rocksdb:" + file)).isEqualTo(1);
        assertThat(out.toString()).startsWith("[{\"verdict\":\"FAIL\",").contains(file.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://me:hush@127.0.0.1:1/db",
                "postgresql://me:a@hush@127.0.0.1:1/db",
                "redis://:hush@127.0.0.1:1",
                "redis://me:hush@127.0.0.1:1000000",
                "nonsense://me:hush@127.0.0.1:1"
            })
    void aStoreThatCannotBeReachedIsOneSentenceWithoutThePassword(String url) {
        assertThat(semel("keys", "list", "--store", url)).isBetween(1, 2);
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
        RocksStore.open(data).close();
        semel("keys", "release", "one", "--scope", "x", "--store", "rocksdb:" + data, "--why", "it is late");
        semel("keys", "release", "two", "--scope", "x", "--config", settings.toString());

        assertThat(data.resolve("audit.log")).content().contains("\"id\":\"one\"", "it is late");
        assertThat(other).content().contains("\"id\":\"two\"").doesNotContain("one");
    }

    @Test
    void whatCannotBeNotedIsNotDoneAndThatIsOneSentence() {
        Path nowhere = directory.resolve("missing/audit.log");
        RocksStore.open(directory.resolve("d")).close();
        assertThat(semel("keys", "purge", "--store", "rocksdb:" + directory.resolve("d"), "--audit", "" + nowhere))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("semel: Nothing was changed").hasLineCount(1);
    }

    @Test
    void theDoctorFindsNothingWrongWithAnEmptyStore() {
        assertThat(semel("doctor", "--store", "rocksdb:" + directory.resolve("data"), "--json"))
                .isZero();
        assertThat(out.toString()).startsWith("[{").contains("LEASED").doesNotContain("FAIL");
    }

    @Test
    void whatItDoesAndWhatItPromisesIsSaidAtTheStart() {
        assertThat(semel(
                        "gateway",
                        "--check",
                        "--upstream",
                        "http://127.0.0.1:9",
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "127.0.0.1:0",
                        "--store",
                        "memory:"))
                .isZero();
        assertThat(out.toString())
                .contains("PATCH, POST /** -> http://127.0.0.1:9")
                .contains("leaves the key unknown until an operator settles it", "requests get 503")
                .contains("memory. BEST_EFFORT: if a record is lost")
                .contains("identified by Authorization", "share one anonymous scope", "Ready.");
    }

    @Test
    void whatARouteRisksIsSaidAtTheStart() throws Exception {
        Path file = Files.writeString(directory.resolve("semel.yaml"), """
            store: memory
            upstream: http://127.0.0.1:9
            health: 127.0.0.1:0
            routes:
              - {path: /again, whenSilent: rerun, failOpen: true}
              - {path: /asked, whenSilent: 'http://127.0.0.1:9/charged?secret=hush'}
            """);
        String[] options = {"gateway", "--check", "--config", "" + file, "--listen", "127.0.0.1:0"};
        assertThat(semel(with(options, "--admin", "127.0.0.1:0"))).isZero();
        assertThat(out.toString())
                .containsSubsequence("/again", "RUNS AGAIN", "RUN UNPROTECTED (failOpen)")
                .containsSubsequence("/asked", "after a silent service a URL is asked about the outcome", "get 503")
                .contains("Health:  port ")
                .doesNotContain("hush");
    }

    @Test
    void everythingThatIsWrongWithTheSettingsIsALineEach() throws Exception {
        Path file = Files.writeString(directory.resolve("semel.yaml"), "lease: soon\nretention: long\nupstram: x\n");
        assertThat(semel("gateway", "--config", "" + file, "--upstream", "http://me:hush@127.0.0.1:9/"))
                .isEqualTo(2);
        assertThat(err.toString()).doesNotContain("hush");
        assertThat(semel("gateway", "--config", "" + file, "--upstream", "http://127.0.0.1:9"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("3 settings are invalid:\n  ").contains("\n  ", "lease", "retention");
    }

    @Test
    void aPortThatIsTakenIsOneSentence() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            String[] options = {"gateway", "--upstream", "http://127.0.0.1:9", "--store", "memory:"};
            assertThat(semel(with(options, "--admin", "127.0.0.1:0", "--listen", address)))
                    .isEqualTo(2);
            assertThat(semel(with(options, "--listen", "127.0.0.1:0", "--admin", address)))
                    .isEqualTo(2);
            assertThat(err.toString())
                    .hasLineCount(2)
                    .contains("semel: The gateway cannot listen at " + address)
                    .contains("semel: The admin port cannot be opened at " + address);
        }
    }

    private static String[] with(String[] options, String... more) {
        return Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void theDoctorFindsOutWhetherTheServicesCanBeReached() throws Exception {
        int gone = closedPort();
        try (ServerSocket there = new ServerSocket(0)) {
            assertThat(examined("""
                upstream: http://127.0.0.1:%d
                routes: [{path: /a, authorize: 'http://127.0.0.1:%d/may'}]
                """.formatted(there.getLocalPort(), gone))).isEqualTo(1);
            assertThat(out.toString())
                    .contains("ok    The settings in ", ": 2 routes.")
                    .contains("ok    http://127.0.0.1:" + there.getLocalPort() + " takes connections.")
                    .contains("FAIL  http://127.0.0.1:" + gone + " cannot be reached")
                    .contains("ok    The store answers");
        }
    }

    @Test
    void theDoctorFindsSettingsWithWhichNoGatewayWouldStart() throws Exception {
        Path notPem = Files.writeString(directory.resolve("server.pem"), "not a certificate");
        assertThat(examined(
                        "upstream: http://127.0.0.1:1\ntls: {certificate: '%s', key: '%s'}".formatted(notPem, notPem)))
                .isEqualTo(1);
        assertThat(out.toString()).contains("FAIL  The certificate or key in " + notPem + " cannot be read as PEM");
        assertThat(examined("upstream: http://127.0.0.1:1\nadmin: 0.0.0.0:8081"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("FAIL  The admin address 0.0.0.0:8081 can be reached from other machines");
        assertThat(examined("upstram: http://127.0.0.1:1")).isEqualTo(2);
        assertThat(err.toString()).contains("Did you mean 'upstream'?");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket server = new ServerSocket(0)) {
            return server.getLocalPort();
        }
    }

    private int examined(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("semel.yaml"), yaml);
        return semel("doctor", "--config", file.toString(), "--store", "rocksdb:" + directory.resolve("data"));
    }

    @Test
    void aKeyThatIsNotThereIsExitCode3() {
        String store = "rocksdb:" + directory.resolve("data");
        RocksStore.open(directory.resolve("data")).close();

        assertThat(semel("keys", "show", "nothing", "--store", store)).isEqualTo(3);
        assertThat(err.toString()).contains("Key not found: nothing.").hasLineCount(1);
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
        assertThat(err.toString()).contains("Key not found: x/nothing.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keys show one", "keys list", "keys purge", "sessions show one"})
    void aStoreThatIsNotThereIsSaidAndNotMade(String command) {
        Path data = directory.resolve("nowhere");
        assertThat(semel((command + " --store rocksdb:" + data).split(" ", -1))).isNotZero();
        assertThat(err.toString()).contains("There is no store in " + data).contains("--admin");
        assertThat(data).doesNotExist();
    }

    @Test
    void aGatewayThatDoesNotAnswerIsSaid() {
        assertThat(semel("keys", "list", "--admin", "127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).contains("No gateway answers at http://127.0.0.1:1");
    }
}
