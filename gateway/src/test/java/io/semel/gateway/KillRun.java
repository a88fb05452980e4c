// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Clients that retry each key many times at once, through a gateway that is killed with -9 in between. */
final class KillRun implements AutoCloseable {

    private static final String SETTINGS = """
        lease: 1s
        routes: [{path: /**, upstream: 'UPSTREAM', waitWhenBusy: 2s, key: required}]
        """;

    private final Path directory;
    private final int keys;
    private final int retries;
    private final int kills;
    private final Path ledger;
    private final RunningProgram service;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore ended = new Semaphore(0);
    private final Map<String, Set<String>> answers = new ConcurrentHashMap<>();
    private final int port;
    private volatile CompletableFuture<RunningProgram> gateway;

    KillRun(Path directory, int keys, int retries, int kills) throws IOException {
        this.directory = directory;
        this.keys = keys;
        this.retries = retries;
        this.kills = kills;
        this.ledger = directory.resolve("ledger");
        this.service = service();
        String upstream = "http://127.0.0.1:" + service.await("port (\\d+)").group(1);
        Files.writeString(directory.resolve("semel.yaml"), SETTINGS.replace("UPSTREAM", upstream));
        RunningProgram first = start("127.0.0.1:0");
        this.port = Integer.parseInt(
                first.await("gateway on http://127.0.0.1:(\\d+)").group(1));
        first.await("Ready");
        this.gateway = CompletableFuture.completedFuture(first);
    }

    /** A service in another language, where there is one. */
    private RunningProgram service() throws IOException {
        for (String each : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(each, "python3"))) {
                Path script = directory.resolve("counting.py");
                Files.copy(KillRun.class.getResourceAsStream("counting.py"), script);
                return RunningProgram.program(directory, List.of("python3", script.toString(), ledger.toString()));
            }
        }
        return RunningProgram.java(directory, "io.semel.gateway.LedgerServer", ledger.toString());
    }

    private RunningProgram start(String listen) {
        return RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                "semel.yaml",
                "--listen",
                listen,
                "--admin",
                "127.0.0.1:0",
                "--store",
                "rocksdb:data");
    }

    void run() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(40);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                String id = "key-" + key;
                for (int retry = 0; retry < retries; retry++) {
                    all.add(clients.submit(() -> pay(id)));
                }
            }
            for (int kill = 1; kill <= kills; kill++) {
                ended.acquire(keys * retries / (kills + 1));
                killAndRestart();
            }
            for (Future<?> each : all) {
                each.get(120, TimeUnit.SECONDS);
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private void killAndRestart() throws Exception {
        RunningProgram running = gateway.get();
        CompletableFuture<RunningProgram> next = new CompletableFuture<>();
        gateway = next;
        running.kill();
        RunningProgram again = start("127.0.0.1:" + port);
        again.await("Ready");
        next.complete(again);
    }

    /** Retries until there is an answer, or the word that nobody knows. */
    private void pay(String id) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/pay"))
                .timeout(Duration.ofSeconds(20))
                .header("Idempotency-Key", id)
                .POST(BodyPublishers.ofString(id))
                .build();
        while (true) {
            try {
                gateway.get();
                HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
                boolean unknown = answer.body().contains("outcome-unknown")
                        && answer.headers().firstValue("Retry-After").isEmpty();
                if (answer.statusCode() == 201 || unknown) {
                    answers.computeIfAbsent(id, any -> ConcurrentHashMap.newKeySet())
                            .add(unknown ? "UNKNOWN" : answer.body());
                    ended.release();
                    return;
                }
            } catch (IOException e) {
                // Killed under way: that is what this is about.
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** How often each key had its effect. */
    Map<String, Integer> effects() throws IOException {
        Map<String, Integer> effects = new HashMap<>();
        Files.readAllLines(ledger).forEach(line -> effects.merge(line, 1, Integer::sum));
        return effects;
    }

    Map<String, Set<String>> answers() {
        return answers;
    }

    long unknown() {
        return answers.values().stream()
                .filter(each -> each.contains("UNKNOWN"))
                .count();
    }

    @Override
    public void close() {
        gateway.join().close();
        service.close();
    }

    /** By hand: 1,000 keys, 10 retries each, 5 kills, or as many as the arguments say. */
    public static void main(String[] args) throws Exception {
        int keys = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        int retries = args.length > 1 ? Integer.parseInt(args[1]) : 10;
        int kills = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        try (KillRun run = new KillRun(Files.createTempDirectory("semel-kill"), keys, retries, kills)) {
            run.run();
            long twice =
                    run.effects().values().stream().filter(count -> count > 1).count();
            long mixed = run.answers().values().stream()
                    .filter(each -> each.size() > 1)
                    .count();
            System.out.println(keys + " keys, " + keys * retries + " clients, " + kills + " kills: "
                    + run.answers().size() + " keys answered, of these " + run.unknown() + " as unknown, "
                    + mixed + " in two ways, " + twice + " effects twice");
            if (twice > 0
                    || mixed > 0
                    || !new HashSet<>(run.answers().keySet())
                            .containsAll(run.effects().keySet())) {
                System.exit(1);
            }
        }
        System.exit(0);
    }
}
