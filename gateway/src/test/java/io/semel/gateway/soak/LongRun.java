// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import io.semel.gateway.LedgerServer;
import io.semel.gateway.RunningProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A gateway on RocksDB, in a process of 256 MB, for hours: payments and their retries, clients that are slow, dead or never read, and a
 * service and a gateway that are killed with -9 again and again.
 */
final class LongRun implements AutoCloseable {

    private static final String SETTINGS = """
        lease: 2s
        retention: 60s
        routes: [{path: /**, upstream: 'http://127.0.0.1:PORT', waitWhenBusy: 2s, remembrance: 30s, key: required}]
        """;

    private final Path directory;
    private final Path ledger;
    private final RestartedGateway service;
    private final RestartedGateway gateway;
    private final PayingClients payers;
    private final HostileClients nuisances;
    private final Samples samples = new Samples();

    LongRun(Path directory, int rate) throws IOException {
        this.directory = directory;
        this.ledger = Files.createFile(directory.resolve("ledger"));
        this.service = new RestartedGateway(
                port -> RunningProgram.java(
                        directory, LedgerServer.class.getName(), ledger.toString(), Integer.toString(port)),
                "port (\\d+)",
                "port");
        Files.writeString(directory.resolve("semel.yaml"), SETTINGS.replace("PORT", Integer.toString(service.port())));
        this.gateway = new RestartedGateway(this::gateway, "gateway on http://127.0.0.1:(\\d+)", "Ready");
        this.payers = new PayingClients(gateway.port(), rate);
        this.nuisances = new HostileClients(gateway.port());
    }

    private RunningProgram gateway(int port) {
        return RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                "semel.yaml",
                "--listen",
                "127.0.0.1:" + port,
                "--admin",
                "127.0.0.1:0",
                "--store",
                "rocksdb:data");
    }

    /** Calls all of them to their work, takes a sample at every step, and kills one of the two when it is its turn. */
    void run(Duration length, Duration step, Duration serviceLives, Duration gatewayLives) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        long end = System.nanoTime() + length.toNanos();
        List<Future<?>> all = new ArrayList<>();
        try {
            for (int i = 0; i < PayingClients.THREADS; i++) {
                all.add(threads.submit(() -> payers.payUntil(end)));
            }
            all.add(threads.submit(() -> nuisances.botherUntil(end)));
            all.add(threads.submit(() -> service.killUntil(end, serviceLives)));
            all.add(threads.submit(() -> gateway.killUntil(end, gatewayLives)));
            while (System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.sleep(Math.max(1, Math.min(step.toNanos(), end - System.nanoTime())));
                samples.take(gateway.running(), directory.resolve("data"), payers.answered());
            }
            for (Future<?> each : all) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** What was carried out more than once; there must be none. */
    List<String> carriedOutTwice() throws IOException {
        return PayingClients.twice(Files.readAllLines(ledger));
    }

    PayingClients payers() {
        return payers;
    }

    Samples samples() {
        return samples;
    }

    String summary() {
        return payers.summary() + "; " + nuisances.summary() + "; the service was killed " + service.kills()
                + " times, the gateway " + gateway.kills() + " times";
    }

    @Override
    public void close() {
        gateway.close();
        service.close();
    }

    /** By hand: {@code LongRun PT2H FILE.csv [payments a second]}. */
    public static void main(String[] args) throws Exception {
        Duration length = Duration.parse(args[0]);
        int rate = args.length > 2 ? Integer.parseInt(args[2]) : 100;
        boolean good;
        try (LongRun run = new LongRun(Files.createTempDirectory("semel-long"), rate)) {
            run.samples().writeTo(Path.of(args[1]));
            run.run(length, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofMinutes(20));
            List<String> twice = run.carriedOutTwice();
            System.out.println(run.summary() + "; carried out twice: " + twice + "; wrong answers: "
                    + run.payers().wrong());
            good = twice.isEmpty() && run.payers().wrong().isEmpty();
        }
        System.exit(good ? 0 : 1);
    }
}
