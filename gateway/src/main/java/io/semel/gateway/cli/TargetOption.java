// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.Engine;
import io.semel.StoreException;
import io.semel.gateway.admin.api.AdminApi;
import io.semel.gateway.admin.api.ApiResponse;
import io.semel.gateway.admin.api.KeyApi;
import io.semel.gateway.admin.api.RemoteApi;
import io.semel.gateway.admin.api.SessionApi;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.SealSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.gateway.config.yaml.Quantities;
import io.semel.gateway.store.OpenStore;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The target of a command: a store, or the running gateway that has it open. */
final class TargetOption {

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
                    "Ask the running gateway with this admin address instead, which a RocksDB store needs while it is"
                            + " open.")
    private @Nullable String admin;

    @Option(
            names = "--admin-token",
            paramLabel = "TOKEN",
            defaultValue = "${env:SEMEL_ADMIN_TOKEN}",
            description = "Admin token of the gateway.")
    private @Nullable String token;

    @Option(
            names = "--admin-trust",
            paramLabel = "FILE",
            description = "Certificate authority of an https:// admin address, as PEM.")
    private @Nullable Path trust;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = "Audit log of actions on a store. Default: that of a gateway on the same store")
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

    /** Prints a response as JSON or in the command's own format. */
    int told(ApiResponse reply, BiConsumer<PrintWriter, JsonNode> printing) {
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

    int failed(ApiResponse reply) {
        return failed(reply.status(), reply.body().path("error").asString("it failed"));
    }

    int failed(int status, String why) {
        spec.commandLine().getErr().println("semel: " + why);
        return status == 404 ? Semel.NOT_FOUND : Semel.FAILED;
    }

    /** Names the option in the error. */
    void check(String option, String value, List<String> known) {
        if (!known.contains(value)) {
            throw wrong(option, "'" + value + "' is none of " + String.join(", ", known));
        }
    }

    void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong(
                    option,
                    value + " is not "
                            + (most == Integer.MAX_VALUE ? least + " or more" : "from " + least + " to " + most));
        }
    }

    /** A span of time. */
    void checkSpan(String option, String value) {
        try {
            var unused = Quantities.of(value);
        } catch (ConfigError e) {
            throw wrong(option, String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String option, String what) {
        return new ParameterException(spec.commandLine(), option + ": " + what);
    }

    /** At a store that is there; one that is not would be made, with nothing in it. */
    int at(Function<AdminApi, Integer> work) {
        if (admin == null) {
            store.urls().forEach(TargetOption::refuseNothing);
        }
        return atAny(work);
    }

    int atAny(Function<AdminApi, Integer> work) {
        String address = admin;
        if (address != null) {
            return work.apply(new RemoteApi(address, token, trust));
        }
        try (OpenStore open = open()) {
            Settings settings = store.settings();
            SealSettings seal = settings.seal();
            AdminApi keys = KeyApi.on(
                    open.store(),
                    RunningGateway.sealed(Engine.on(open.store()), seal == null ? null : seal.open()),
                    new AuditLog(audit == null ? settings.audit() : audit),
                    settings.longestRetention());
            return work.apply(new SessionApi(keys, () -> open.sessions(1), settings.anonymousScope()));
        }
    }

    private static void refuseNothing(String url) {
        String scheme = "rocksdb:";
        if (url.startsWith(scheme) && Files.notExists(Path.of(url.substring(scheme.length())))) {
            throw new ConfigError("There is no store in " + url.substring(scheme.length())
                    + ". Say which one with --store URL or --config FILE, or which running gateway with"
                    + " --admin 127.0.0.1:8081.");
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
