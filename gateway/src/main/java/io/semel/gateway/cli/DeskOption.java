// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.StoreException;
import io.semel.gateway.admin.Audit;
import io.semel.gateway.admin.Desk;
import io.semel.gateway.admin.KeyDesk;
import io.semel.gateway.admin.RemoteDesk;
import io.semel.gateway.admin.Reply;
import io.semel.gateway.admin.SessionDesk;
import io.semel.gateway.config.Settings;
import io.semel.gateway.store.OpenStore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Where a command asks: at a store, or at the gateway that has it open. */
final class DeskOption {

    /** Of the command that asks. */
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

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

    @Nullable
    Path config() {
        return store.config();
    }

    Settings settings() {
        return store.settings();
    }

    /** Prints what was said, as JSON or as the command has it for people. */
    int told(Reply reply, BiConsumer<PrintWriter, JsonNode> printing) {
        if (!reply.isOk()) {
            return failed(reply);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(reply.body());
        } else {
            printing.accept(out, reply.body());
        }
        return 0;
    }

    int failed(Reply reply) {
        return failed(reply.status(), reply.body().path("error").asString("it failed"));
    }

    int failed(int status, String why) {
        spec.commandLine().getErr().println("semel: " + why);
        return status == 404 ? Semel.NOT_FOUND : Semel.FAILED;
    }

    int at(Function<Desk, Integer> work) {
        String address = admin;
        if (address != null) {
            return work.apply(new RemoteDesk(address, token));
        }
        try (OpenStore open = open()) {
            Settings settings = store.settings();
            Desk keys = KeyDesk.on(open.store(), new Audit(audit == null ? settings.audit() : audit));
            return work.apply(new SessionDesk(keys, () -> open.sessions(1), settings.anonymousScope()));
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
