// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.Engine;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.memory.MemoryStore;
import io.semel.testkit.ManualTime;
import io.semel.testkit.http.ContractServer;
import io.semel.testkit.http.CuttableStore;
import io.semel.testkit.http.HttpContract;
import io.semel.testkit.http.HttpSetting;
import io.semel.testkit.http.LeftOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/** The HTTP contract on the gateway. */
abstract class GatewayContract extends HttpContract {

    final ManualTime time = new ManualTime();
    private final ScriptedOrigin origin = new ScriptedOrigin();

    @Override
    protected ContractServer start(HttpSetting setting) throws IOException {
        CuttableStore connection = new CuttableStore(store());
        Gateway gateway = Gateway.start(settings(setting), Engine.on(connection, time), store() instanceof MemoryStore);
        return new Server(gateway, connection);
    }

    private Settings settings(HttpSetting setting) throws IOException {
        String bodies = switch (setting) {
            case JSON_BY_MEANING -> "json";
            case FORMS_BY_PARTS -> "parts";
            default -> "bytes";
        };
        Path file = Files.createTempFile("contract", ".yaml");
        try {
            Files.writeString(file, String.format("""
                    scope: {header: X-User, ignored: [Authorization]}
                    trustedProxies: [127.0.0.1]
                    routes: [{path: /**, compare: %s, authorize: '%s/asked/may'%s}]
                    """, bodies, origin.url(), more(setting)));
            return SettingsReader.read(
                    file, new Overrides("127.0.0.1:0", null, null, List.of("memory:"), origin.url()));
        } finally {
            Files.delete(file);
        }
    }

    private String more(HttpSetting setting) {
        return switch (setting) {
            case QUOTED_KEYS -> ", dialect: ietf";
            case BARE_KEYS -> ", dialect: raw";
            case KEYS_REQUIRED -> ", key: required";
            case KEYS_IGNORED -> ", key: ignored";
            case KEYS_REJECTED -> ", key: rejected";
            case DELETES -> ", methods: [POST, PATCH, DELETE]";
            case ERRORS_RECORDED -> ", serverErrors: record";
            case ERRORS_HELD -> ", serverErrors: hold";
            case RERUN -> ", whenSilent: rerun";
            case FOUND_DONE -> ", whenSilent: '" + origin.url() + "/asked/happened'";
            case FOUND_NOT_DONE -> ", whenSilent: '" + origin.url() + "/asked/did-not-happen'";
            case WAITING -> ", waitWhenBusy: 3s";
            case MORE_HEADERS -> ", replayHeaders: [Set-Cookie, X-Foo]";
            case SMALL_ANSWERS -> ", answerBytes: 1000";
            case FAIL_OPEN -> ", failOpen: true";
            default -> "";
        };
    }

    @Override
    protected void elapse(Duration span) {
        time.advance(span);
    }

    @Override
    protected LeftOut leftOut() {
        return LeftOut.nothing()
                .cases("what a service refuses because of its body is an answer like any other to a gateway", 41)
                .settings("the gateway has no setting for a time of first sending", HttpSetting.FIRST_SENT)
                .tests(
                        "the gateway tells all origins again what was said to all",
                        "whatWasSaidToOneOriginIsNotReplayed");
    }

    @Override
    protected Optional<Path> table() {
        return Optional.of(Path.of("../docs/http-contract.md"));
    }

    @AfterAll
    void stopOrigin() {
        origin.close();
    }

    private record Server(Gateway gateway, CuttableStore connection) implements ContractServer {

        @Override
        public int port() {
            return gateway.address().getPort();
        }

        @Override
        public void cut() {
            connection.cut();
        }

        @Override
        public void mend() {
            connection.mend();
        }

        @Override
        public void kill() {
            connection.kill();
        }

        @Override
        public void close() {
            gateway.close();
        }
    }
}
