// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.gateway.demo.PaymentService;
import io.semel.gateway.demo.ProgressDisplay;
import io.semel.gateway.demo.Storm;
import io.semel.gateway.demo.StormPlan;
import io.semel.gateway.demo.StormResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Storms a payments service, through a gateway or without. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "A storm of HTTP clients against a payments service: they retry, click twice, time out and lose"
                    + " answers.",
            "The gateway protects the service; at the end the service's ledger shows how often each order"
                    + " was charged."
        },
        footer = {"", "Exit code 1 if anything was charged twice behind the gateway, or was not answered as promised."})
final class DemoCommand implements Callable<Integer> {

    private static final int MOST_CLIENTS = 1000;
    private static final int USUAL_SECONDS = 6;
    private static final Duration LONGEST = Duration.ofDays(1);

    private static final String SETTINGS = """
        routes:
          - path: /payments
            name: payments
            key: required
            whenSilent: http://127.0.0.1:%d/charged
        """;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--without", description = "Run the same storm without Semel, directly against the service.")
    private boolean without;

    @Option(names = "--keys", paramLabel = "N", description = "Number of orders. Default: as many as time allows")
    private @Nullable Long keys;

    @Option(names = "--clients", paramLabel = "N", description = "Concurrent clients, 1 to 1000. Default: 16")
    private int clients = 16;

    @Option(names = "--seconds", paramLabel = "N", description = "Duration. Default: 6, or no limit with --keys")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the clients' decisions. Default: 1")
    private long seed = 1;

    @Option(names = "--keep", description = "Keep gateway and console running afterwards, until Ctrl-C.")
    private boolean keep;

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS",
            description = "Address of the console. Default: 127.0.0.1:0, any free port")
    private String admin = "127.0.0.1:0";

    @Override
    public Integer call() throws IOException, InterruptedException {
        StormPlan plan = plan();
        Path directory = Files.createTempDirectory("semel-demo");
        StopSignal stopping = new StopSignal();
        try (PaymentService service = new PaymentService(directory.resolve("ledger"), seed)) {
            return without ? bare(plan, service, stopping) : guarded(plan, service, directory, stopping);
        } finally {
            Directories.delete(directory);
            stopping.done();
        }
    }

    private StormPlan plan() {
        if (clients < 1 || clients > MOST_CLIENTS) {
            throw wrong("--clients is from 1 to " + MOST_CLIENTS + ", not " + clients + ".");
        }
        if ((keys != null && keys < 1) || (seconds != null && seconds < 1)) {
            throw wrong("--keys and --seconds are 1 or more.");
        }
        if (keep && without) {
            throw wrong("--keep keeps the console, and --without there is none.");
        }
        Duration unlimited = keys == null ? Duration.ofSeconds(USUAL_SECONDS) : LONGEST;
        return new StormPlan(
                keys == null ? Long.MAX_VALUE : keys,
                seconds == null ? unlimited : Duration.ofSeconds(seconds),
                clients,
                seed);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private int guarded(StormPlan plan, PaymentService service, Path directory, StopSignal stopping)
            throws IOException, InterruptedException {
        Settings settings = settings(service, directory);
        LogSetup.silent();
        try (RunningGateway assembly = RunningGateway.start(settings, false, settings.audit())) {
            int port = assembly.gateway().address().getPort();
            say("Clients -> gateway on 127.0.0.1:" + port + " -> payments service on 127.0.0.1:" + service.port());
            say("Store:   " + assembly.open().label() + ". " + assembly.open().promise());
            say("Console: " + assembly.address());
            StormResult result = storm(plan, port, service, stopping);
            say(assembly.counted());
            if (keep && !stopping.isTold()) {
                say("The console stays at " + assembly.address() + " until Ctrl-C.");
                stopping.await();
            }
            return result.isAsPromised() ? 0 : Semel.FAILED;
        }
    }

    /** Without Semel there is no promise that could be broken. */
    private int bare(StormPlan plan, PaymentService service, StopSignal stopping) throws InterruptedException {
        say("Clients -> payments service on 127.0.0.1:" + service.port() + ", without Semel");
        storm(plan, service.port(), service, stopping);
        say("The same storm with Semel: ./semel demo");
        return 0;
    }

    private StormResult storm(StormPlan plan, int port, PaymentService service, StopSignal stopping)
            throws InterruptedException {
        say(plan.clients() + " clients at a time, seed " + plan.seed()
                + ": they retry, click twice, time out and lose answers.");
        say("");
        Storm storm = new Storm(plan, port);
        stopping.whenTold(storm::stop);
        PrintWriter out = spec.commandLine().getOut();
        StormResult result = storm.run(ProgressDisplay.onStandardOutput(out), service);
        result.print(out);
        return result;
    }

    private Settings settings(PaymentService service, Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("semel.yaml"), SETTINGS.formatted(service.port()));
        return SettingsReader.read(
                file,
                new Overrides(
                        "127.0.0.1:0",
                        admin,
                        null,
                        List.of("rocksdb:" + directory.resolve("data")),
                        "http://127.0.0.1:" + service.port()));
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
