// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.StoreException;
import io.semel.gateway.admin.Audit;
import io.semel.gateway.admin.Desk;
import io.semel.gateway.admin.KeyDesk;
import io.semel.gateway.admin.RemoteDesk;
import io.semel.gateway.store.OpenStore;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a command asks: at a store, or at the gateway that has it open. */
final class DeskOption {

    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS",
            description =
                    "Ask the running gateway with this admin address instead, which a RocksDB store needs while it is open.")
    private @Nullable String admin;

    @Option(
            names = "--admin-token",
            paramLabel = "TOKEN",
            defaultValue = "${env:SEMEL_ADMIN_TOKEN}",
            description = "As the gateway has it.")
    private @Nullable String token;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = "Where acts on a store are noted. Default: as the gateway on the same store has it")
    private @Nullable Path audit;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    int at(Function<Desk, Integer> work) {
        String address = admin;
        if (address != null) {
            return work.apply(new RemoteDesk(address, token));
        }
        try (OpenStore open = open()) {
            return work.apply(KeyDesk.on(open.store(), new Audit(audit == null ? store.audit() : audit)));
        }
    }

    private OpenStore open() {
        try {
            return store.open(false);
        } catch (StoreException e) {
            if (store.urls().stream().noneMatch(url -> url.startsWith("rocksdb:"))) {
                throw e;
            }
            throw new StoreException(
                    e.getMessage()
                            + " If it is a gateway's, ask that one: --admin 127.0.0.1:8081, or whichever its admin"
                            + " address is.",
                    e);
        }
    }
}
