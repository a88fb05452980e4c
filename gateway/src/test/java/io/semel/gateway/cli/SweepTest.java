// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static io.semel.gateway.cli.Typed.semel;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.gateway.admin.AdminServer;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.store.OpenStore;
import io.semel.http.Answer;
import io.semel.memory.MemoryStore;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same said about all old keys whose outcome nobody knows. */
class SweepTest {

    private static final int MANY = 1203;

    @TempDir
    private Path directory;

    private final MemoryStore store = new MemoryStore();
    private OpenStore open;
    private AdminServer admin;

    @AfterEach
    void close() {
        if (admin != null) {
            admin.close();
            open.close();
        }
    }

    private String admin() {
        open = OpenStore.of(store, "memory");
        Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
        admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console);
        return "127.0.0.1:" + admin.address().getPort();
    }

    private static void lapse(io.semel.store.Store store, String scope, int count) {
        for (int i = 0; i < count; i++) {
            Key key = Key.of(scope, "key-" + i);
            store.claim(Call.of(key, print()), "holder", Duration.ofNanos(1));
        }
    }

    private static Fingerprint print() {
        return Fingerprint.of("asked".getBytes(StandardCharsets.UTF_8));
    }

    private Slot.State state(String scope, int number) {
        return store.look(Key.of(scope, "key-" + number)).map(Slot::state).orElse(Slot.State.GONE);
    }

    @Test
    void aDryRunCountsAndChangesNothing() {
        lapse(store, "http/anonymous", MANY);

        assertThat(semel(0, "keys", "sweep", "--view", "lapsed", "--older-than", "0s", "--admin", admin()))
                .contains("Page 1: 500 keys so far")
                .endsWith(
                        MANY
                                + " lapsed keys are older than 0s. Nothing was changed; use --release or --resolve to settle them.");
        assertThat(store.count().lapsed()).isEqualTo(MANY);
        assertThat(directory.resolve("audit.log")).doesNotExist();
    }

    @Test
    void lapsedKeysOfOneCallerAreReleasedPageByPageAndEachIsNoted() throws Exception {
        lapse(store, "http/principal/ann", 600);
        lapse(store, "http/principal/bob", 3);

        assertThat(semel(
                        0,
                        "keys",
                        "sweep",
                        "--view",
                        "lapsed",
                        "--older-than",
                        "0s",
                        "--scope",
                        "http/principal/ann",
                        "--release",
                        "--operator",
                        "eve",
                        "--admin",
                        admin()))
                .endsWith("600 lapsed keys are older than 0s: 600 applied.");
        assertThat(store.count().lapsed()).isEqualTo(3);
        assertThat(Files.readAllLines(directory.resolve("audit.log")))
                .filteredOn(line -> line.contains("sweep: release") && line.contains("APPLIED"))
                .hasSize(600)
                .allMatch(line -> line.contains("eve"));
    }

    @Test
    void youngKeysAreLeftAlone() {
        lapse(store, "http/anonymous", 3);

        assertThat(semel(0, "keys", "sweep", "--view", "lapsed", "--release", "--admin", admin()))
                .isEqualTo("0 lapsed keys are older than 7d.");
        assertThat(store.count().lapsed()).isEqualTo(3);
    }

    @Test
    void keysAreResolvedWithOneAnswerAndThoseOfAnotherFormAreLeft() {
        lapse(store, "http/anonymous", 2);
        lapse(store, "some/program", 1);

        assertThat(semel(
                        0,
                        "keys",
                        "sweep",
                        "--view",
                        "lapsed",
                        "--older-than",
                        "0s",
                        "--resolve",
                        "--status",
                        "201",
                        "--body",
                        "{}",
                        "--admin",
                        admin()))
                .contains("2 applied", "1 other_form");
        assertThat(state("http/anonymous", 1)).isEqualTo(Slot.State.SETTLED);
        assertThat(state("some/program", 0)).isEqualTo(Slot.State.LAPSED);
        byte[] answer = Engine.on(store)
                .operator("test")
                .reveal(Key.of("http/anonymous", "key-0"))
                .orElseThrow();
        assertThat(Answer.codec().decode(answer).status()).isEqualTo(201);
    }

    @Test
    void aStoreIsSweptWithoutAGateway() throws Exception {
        Path data = directory.resolve("data");
        try (RocksStore rocks = RocksStore.open(data)) {
            lapse(rocks, "http/anonymous", 7);
        }
        String url = "rocksdb:" + data;
        String[] sweep = {"keys", "sweep", "--view", "lapsed", "--older-than", "0s", "--json", "--store", url};
        assertThat(semel(0, sweep)).isEqualTo("{\"found\":7,\"dryRun\":true,\"results\":{}}");
        assertThat(semel(0, "keys", "sweep", "--view", "lapsed", "--older-than", "0s", "--release", "--store", url))
                .contains("7 applied");
        assertThat(semel(0, sweep)).contains("\"found\":0");
        assertThat(Files.readString(data.resolve("audit.log"))).contains("sweep: release");
    }

    @Test
    void onlyWhatIsInDoubtIsSwept() {
        String at = admin();
        assertThat(semel(2, "keys", "sweep", "--view", "oldest", "--release", "--admin", at))
                .contains("--view: 'oldest' is none of lapsed, unknown");
        assertThat(semel(2, "keys", "sweep", "--view", "lapsed", "--older-than", "old", "--admin", at))
                .contains("is not a duration");
        assertThat(semel(2, "keys", "sweep", "--view", "lapsed", "--release", "--resolve", "--admin", at))
                .contains("mutually exclusive");
    }
}
