// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import io.semel.Engine;
import io.semel.gateway.Gateway;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Gateways before a service on this machine. */
final class FuzzedGateway {

    static Gateway start(Path directory, String yaml, int upstream, MemoryStore store) throws IOException {
        Path file = Files.writeString(
                directory.resolve("semel.yaml"), yaml.replace("UPSTREAM", "http://127.0.0.1:" + upstream));
        Settings settings = SettingsReader.read(
                file, new Overrides("127.0.0.1:0", null, null, List.of("memory:"), "http://127.0.0.1:" + upstream));
        return Gateway.start(settings, Engine.on(store), true);
    }

    private FuzzedGateway() {}
}
