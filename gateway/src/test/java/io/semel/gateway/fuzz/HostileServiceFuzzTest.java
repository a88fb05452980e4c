// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.Gateway;
import io.semel.gateway.GatewayChecks;
import io.semel.memory.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Services that answer with anything: every exchange ends, nobody gets what was not said to them, a retry gets what the first client got,
 * and in the end nothing is held: no key, no connection, no byte.
 */
class HostileServiceFuzzTest {

    private static final int CLIENTS = 16;
    private static final String ROUTE =
            "routes: [{path: /**, upstream: 'UPSTREAM', answerBytes: " + AnswerJudge.MOST_KEPT + "}]\n";
    private static final String LIMITS =
            ROUTE + "limits: {upstreamConnections: 8, connectTime: 10s, answerTime: 300ms, keepTime: 500ms}";

    @TempDir
    private Path directory;

    @Test
    void everyExchangeEndsAndNobodyGetsWhatIsNotTheirs() throws Exception {
        MemoryStore store = new MemoryStore();
        Fuzzing fuzzing = new Fuzzing();
        try (LeakDetector leaks = new LeakDetector();
                HostileService service = new HostileService(ScriptGenerator::of);
                Gateway gateway = FuzzedGateway.start(directory, LIMITS, service.port(), store)) {
            HostileClient client = new HostileClient(gateway.address().getPort(), service);
            fuzzing.run(CLIENTS, client::run);
            System.out.println("Fuzzed " + client.exchanges + " exchanges from seed " + fuzzing.first() + " on: "
                    + client.answered + " answered, " + client.refused + " refused, " + client.cut + " cut, "
                    + client.replayed + " replayed; of " + client.valid + " valid answers " + client.validAnswered
                    + " came through.");
            rests(gateway, service, store);
            leaks.check();
            assertThat(Fuzzing.isOne() || client.validAnswered.sum() > client.valid.sum() / 2)
                    .as("most of what is right comes through")
                    .isTrue();
        }
    }

    @Test
    void whatWentWrongOnceIsRight() throws Exception {
        List<String> kept = Fuzzing.kept("answers.txt");
        MemoryStore store = new MemoryStore();
        for (String line : kept) {
            HostileService.Author author =
                    (id, attempt, toHead) -> new AnswerScript(Escaped.read(line).replace("{id}", id), false);
            try (HostileService service = new HostileService(author);
                    Gateway gateway = FuzzedGateway.start(directory, LIMITS, service.port(), store)) {
                HostileClient client = new HostileClient(gateway.address().getPort(), service);
                long seed = 1000L * (kept.indexOf(line) + 1);
                for (int i = 0; i < 8; i++) {
                    client.run(seed + i);
                }
                rests(gateway, service, store);
            }
        }
    }

    private static void rests(Gateway gateway, HostileService service, MemoryStore store) {
        GatewayChecks.await("no exchanges", () -> gateway.traffic().exchanges() == 0);
        GatewayChecks.await("no clients' connections", () -> gateway.connections() == 0);
        GatewayChecks.await("no connections to the service", () -> service.connections() == 0);
        GatewayChecks.await("no keys that are held", () -> store.count().held() == 0);
        GatewayChecks.await("no bytes", () -> GatewayChecks.bytes(gateway) == 0);
    }
}
