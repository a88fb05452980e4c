// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A service behind the gateway that counts its effects and can be told to misbehave. */
public final class CountingService implements AutoCloseable {

    public interface Behaviour {
        void answer(HttpExchange exchange, byte[] body, int effect) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    public final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    public final List<Map<String, List<String>>> heads = new CopyOnWriteArrayList<>();
    public final List<byte[]> bodies = new CopyOnWriteArrayList<>();
    public volatile Behaviour behaviour = CountingService::created;
    public volatile CountDownLatch arrived = new CountDownLatch(1);

    public CountingService() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int port() {
        return server.getAddress().getPort();
    }

    void forget() {
        effects.clear();
        heads.clear();
        bodies.clear();
    }

    public int effects(String key) {
        AtomicInteger count = effects.get(key);
        return count == null ? 0 : count.get();
    }

    public int effects() {
        return effects.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        heads.add(Map.copyOf(exchange.getRequestHeaders()));
        bodies.add(body);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        int effect = effects.computeIfAbsent(key == null ? "" : key, any -> new AtomicInteger())
                .incrementAndGet();
        arrived.countDown();
        behaviour.answer(exchange, body, effect);
    }

    public static void created(HttpExchange exchange, byte[] body, int effect) throws IOException {
        answer(exchange, 201, "effect " + effect);
    }

    public static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Reads the request and closes the connection without a word. */
    public static void hangUp(HttpExchange exchange, byte[] body, int effect) {
        exchange.close();
    }

    /** For a behaviour that answers only when it is told to. */
    public static void await(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
