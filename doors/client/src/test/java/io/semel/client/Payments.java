// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.semel.Engine;
import io.semel.Operation;
import io.semel.http.Answer;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.HttpSessions;
import io.semel.http.Problem;
import io.semel.http.Request;
import io.semel.http.RequestDecision;
import io.semel.memory.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** A service behind Semel's own door on the JDK's server, with a network in front of it that fails as it is told. */
final class Payments implements AutoCloseable {

    /** What goes wrong with one attempt. */
    enum Weather {
        FINE,
        LOST_BEFORE,
        SILENT_BEFORE,
        LIMITED,
        BAD_GATEWAY,
        HANDLER_FAILS,
        HANDLER_SLOW,
        LOST_AFTER,
        SILENT_AFTER,
        TORN_AFTER
    }

    final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    /** The places in their session of the requests that came with one: number and first outstanding number. */
    final List<String> places = new CopyOnWriteArrayList<>();
    /** The first outstanding numbers that came while nothing else was asked for. */
    final BlockingQueue<String> keptAlive = new LinkedBlockingQueue<>();

    /** Why what was asked about sessions was refused. */
    final BlockingQueue<Problem.Type> refusals = new LinkedBlockingQueue<>();

    private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> second = new ConcurrentHashMap<>();
    private final Queue<HttpExchange> unanswered = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BiFunction<String, Integer, Weather> weather;
    private final HttpIdempotency door;
    private final HttpServer server;

    Payments(HttpRules rules, BiFunction<String, Integer, Weather> weather) throws IOException {
        this(
                HttpIdempotency.on(Engine.on(new MemoryStore(64 << 20)).with(Operation.named("payments")), rules),
                weather);
    }

    /** With sessions, for whoever shows the token. */
    Payments(HttpSessions sessions, BiFunction<String, Integer, Weather> weather) throws IOException {
        this(
                HttpIdempotency.on(Engine.on(new MemoryStore(1 << 20)), HttpRules.standard())
                        .sessions(sessions),
                weather);
    }

    private Payments(HttpIdempotency door, BiFunction<String, Integer, Weather> weather) throws IOException {
        this.door = door;
        this.weather = weather;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    Intent pay(int cents) {
        return Intent.of(HttpRequest.newBuilder(uri("/payments"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"amountCents\":" + cents + "}"))
                .build());
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (exchange.getRequestURI().getPath().startsWith("/.semel")) {
            send(exchange, desk(exchange, body), false);
            return;
        }
        String key = key(exchange.getRequestHeaders());
        int attempt = attempts.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
        if (attempt > 1) {
            secondOf(key).countDown();
        }
        Weather now = weather.apply(key, attempt);
        switch (now) {
            case LOST_BEFORE -> exchange.close();
            case SILENT_BEFORE -> unanswered.add(exchange);
            case LIMITED -> send(exchange, Answer.of(429, new byte[0]).with("Retry-After", "0"), false);
            case BAD_GATEWAY -> send(exchange, Answer.of(502, new byte[0]), false);
            default -> deliver(exchange, answer(exchange, body, key, now), now);
        }
    }

    private Answer desk(HttpExchange exchange, byte[] body) {
        RequestDecision entry = door.enter(new Seen(exchange), body);
        if (exchange.getRequestMethod().equals("PUT")) {
            keptAlive.add(exchange.getRequestHeaders().getFirst("Semel-First-Outstanding"));
        }
        if (entry instanceof RequestDecision.Refuse refuse) {
            refusals.add(refuse.problem().type());
            return refuse.problem().answer();
        }
        return ((RequestDecision.Replay) entry).answer();
    }

    private String key(Headers headers) {
        String session = headers.getFirst("Semel-Session");
        if (session == null) {
            return String.valueOf(headers.getFirst("Idempotency-Key"));
        }
        String number = headers.getFirst("Semel-Request");
        places.add(number + " from " + headers.getFirst("Semel-First-Outstanding"));
        return session + "/" + number;
    }

    private void deliver(HttpExchange exchange, Answer answer, Weather now) throws IOException {
        switch (now) {
            case LOST_AFTER -> exchange.close();
            case SILENT_AFTER -> unanswered.add(exchange);
            case TORN_AFTER -> send(exchange, answer, true);
            default -> send(exchange, answer, false);
        }
    }

    private Answer answer(HttpExchange exchange, byte[] body, String key, Weather now) {
        RequestDecision entry = door.enter(new Seen(exchange), body);
        if (entry instanceof RequestDecision.Replay replay) {
            return replay.answer();
        }
        if (entry instanceof RequestDecision.Refuse refuse) {
            return refuse.problem().answer();
        }
        RequestDecision.Run run = (RequestDecision.Run) entry;
        Answer answer = now == Weather.HANDLER_FAILS ? Answer.of(500, new byte[0]) : charge(key, now);
        return run.complete(answer).map(Problem::answer).orElse(answer);
    }

    private Answer charge(String key, Weather now) {
        int number = effects.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
        if (now == Weather.HANDLER_SLOW) {
            awaitSecond(key);
        }
        return Answer.of(201, ("payment " + number + " of " + key).getBytes(UTF_8));
    }

    /** Until a retry has found this one in progress, or the test ends. */
    private void awaitSecond(String key) {
        try {
            secondOf(key).await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CountDownLatch secondOf(String key) {
        return second.computeIfAbsent(key, any -> new CountDownLatch(1));
    }

    private static void send(HttpExchange exchange, Answer answer, boolean torn) throws IOException {
        try (exchange) {
            answer.headers().forEach(line -> exchange.getResponseHeaders().add(line.name(), line.value()));
            int length = answer.body().length;
            exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
            exchange.getResponseBody().write(answer.body(), 0, torn ? length / 2 : length);
        }
    }

    @Override
    public void close() {
        unanswered.forEach(HttpExchange::close);
        server.stop(0);
        threads.shutdownNow();
    }

    /** The request as the door sees it. */
    private record Seen(HttpExchange exchange) implements Request {

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String path() {
            return exchange.getRequestURI().getRawPath();
        }

        @Override
        public String query() {
            return exchange.getRequestURI().getRawQuery();
        }

        @Override
        public List<String> headers(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of());
        }

        @Override
        public Caller caller() {
            String token = exchange.getRequestHeaders().getFirst("Authorization");
            return token == null ? Caller.of("alice") : Caller.of(token);
        }
    }
}
