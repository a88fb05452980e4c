// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payments service that knows nothing of retries: it charges whenever it is asked. Now and then it is slow, says no before it has charged, or
 * hangs up after it has.
 */
public final class PaymentService implements AutoCloseable {

    private static final double SLOW = 0.005;
    private static final double DOWN = 0.02;
    private static final double HANGS_UP = 0.01;
    private static final int CREATED = 201;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("demo-service"));
    private final SplittableRandom random;
    private final Ledger ledger;

    public PaymentService(Path book, long seed) {
        this.ledger = new Ledger(book);
        this.random = new SplittableRandom(seed);
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/payments", this::pay);
        server.createContext("/charged", this::tell);
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    Ledger ledger() {
        return ledger;
    }

    private void pay(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode order =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            Mood mood = mood();
            LockSupport.parkNanos(mood.nanos);
            if (mood.down) {
                answer(exchange, 503, "{\"error\":\"the bank is down, nothing was charged\"}");
                return;
            }
            String receipt = ledger.charge(
                    order.path("order").asString(), order.path("cents").asLong());
            if (!mood.hangsUp) {
                answer(exchange, CREATED, json(receipt));
            }
        }
    }

    /** Says whether an order was charged. */
    private void tell(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode asked =
                    JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
            String receipt = ledger.receipt(asked.path("key").asString()).orElse("");
            exchange.getResponseHeaders().set("Semel-Verdict", receipt.isEmpty() ? "did-not-happen" : "happened");
            answer(exchange, 200, json(receipt));
        }
    }

    private static String json(String receipt) {
        return "{\"receipt\":\"" + receipt + "\"}";
    }

    private synchronized Mood mood() {
        boolean slow = random.nextDouble() < SLOW;
        long millis = slow ? random.nextLong(250, 500) : 0;
        long micros = random.nextLong(500, 3_000);
        return new Mood(
                TimeUnit.MILLISECONDS.toNanos(millis) + TimeUnit.MICROSECONDS.toNanos(micros),
                random.nextDouble() < DOWN,
                random.nextDouble() < HANGS_UP);
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        try {
            ledger.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The ledger was not written to its end.", e);
        }
    }

    private record Mood(long nanos, boolean down, boolean hangsUp) {}
}
