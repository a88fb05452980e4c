// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Call;
import io.semel.Engine;
import io.semel.StoreException;
import io.semel.gateway.Gateway;
import io.semel.gateway.RawHttp;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.gateway.store.OpenStore;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingSlots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What health says of a store that still answers, and keeps nothing more. */
@Timeout(60)
class FullStoreTest {

    @TempDir
    private Path directory;

    private volatile boolean full;

    private final OpenStore open = OpenStore.of(
            new ForwardingSlots(new MemoryStore()) {
                @Override
                public Claim claim(Call call, String holder, Duration lease) {
                    if (full) {
                        throw new StoreException("No space left on device", null);
                    }
                    return super.claim(call, holder, lease);
                }
            },
            "full");

    @Test
    void aGatewayWhoseStoreDoesNotWriteIsNotReadyUntilItDoes() throws Exception {
        Settings settings = SettingsReader.read(
                Files.writeString(directory.resolve("semel.yaml"), ""),
                new Overrides("127.0.0.1:0", null, null, List.of("memory:"), "http://127.0.0.1:9"));
        Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
        try (Gateway gateway = Gateway.start(settings, Engine.on(open.store()).withListener(console), false);
                AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), null, console)) {
            console.watch(gateway);
            assertThat(get(admin, "/health")).startsWith("HTTP/1.1 200");

            full = true;
            assertThat(post(gateway)).startsWith("HTTP/1.1 503");
            assertThat(get(admin, "/health")).startsWith("HTTP/1.1 503").contains("\"store\":\"down\"");
            assertThat(get(admin, "/health/live")).startsWith("HTTP/1.1 200");

            full = false;
            assertThat(get(admin, "/health")).startsWith("HTTP/1.1 200");
            assertThat(get(admin, "/api/keys")).doesNotContain("semel/health");
        }
    }

    private static String get(AdminServer admin, String path) throws IOException {
        return RawHttp.send(
                admin.address().getPort(), "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    private static String post(Gateway gateway) throws IOException {
        return RawHttp.send(
                gateway.address().getPort(),
                "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
}
