// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.Gateway;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the gateway until it is told to stop. */
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        description = "A reverse proxy that makes retries of a service safe, whatever the service is written in.",
        footer = {"", "Stops on SIGTERM, after open requests have completed. All settings are in docs/gateway.md."})
final class GatewayCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(
            names = "--upstream",
            paramLabel = "URL",
            description = "The service to protect, such as http://127.0.0.1:9000")
    private @Nullable String upstream;

    @Option(names = "--listen", paramLabel = "ADDRESS", description = "Default: 127.0.0.1:8080")
    private @Nullable String listen;

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS",
            description = "Health, metrics and keys. Default: 127.0.0.1:8081")
    private @Nullable String admin;

    @Option(
            names = "--admin-token",
            paramLabel = "TOKEN",
            defaultValue = "${env:SEMEL_ADMIN_TOKEN}",
            description =
                    "Needed where the admin address is not loopback; better in the environment as SEMEL_ADMIN_TOKEN.")
    private @Nullable String adminToken;

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = {
                "File of operators' actions, one line of JSON each. Default: audit.log in the directory of a RocksDB store,",
                "else semel-audit.log"
            })
    private @Nullable Path audit;

    @Option(names = "--create-schema", description = "Create missing tables of a database.")
    private boolean createSchema;

    @Option(names = "--check", description = "Start, print the configuration, and stop.")
    private boolean check;

    @Override
    public Integer call() throws InterruptedException {
        Settings settings = settings();
        StopSignal stopping = new StopSignal();
        Path trail = audit == null ? settings.audit() : audit;
        try (RunningGateway assembly = RunningGateway.start(settings, createSchema, trail)) {
            StartupBanner.print(spec.commandLine().getOut(), assembly);
            if (check) {
                return 0;
            }
            stopping.await();
            return drain(assembly.gateway(), settings);
        } finally {
            stopping.done();
        }
    }

    private int drain(Gateway gateway, Settings settings) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Stopping: no new connections; open requests have "
                + settings.limits().drainTime().toSeconds() + " s.");
        boolean whole = gateway.drain(settings.limits().drainTime());
        out.println(whole ? "Stopped." : "Stopped with open requests; their outcome is unknown.");
        return whole ? 0 : Semel.FAILED;
    }

    private Settings settings() {
        Overrides overrides = new Overrides(listen, admin, adminToken, store.given(), upstream);
        Path file = store.config();
        return file == null ? SettingsReader.read(overrides) : SettingsReader.read(file, overrides);
    }
}
