// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.Event;
import io.semel.Operation;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import io.semel.store.Inspectable;
import io.semel.store.Store;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.handler.ResponseStatusExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;

/** A service behind the filter on a real Reactor Netty server, which counts what it does. */
abstract class Service {

    static final Operation PAYMENTS = Operation.named("payments");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final int PORT = start();

    private static volatile Service current;

    final MemoryStore store = new MemoryStore();
    final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    final AtomicInteger effects = new AtomicInteger();
    final String key = UUID.randomUUID().toString();

    volatile IdempotencyWebFilter filter = filter(store, PAYMENTS, HttpRules.standard());
    volatile WebFilter front = (exchange, chain) -> chain.filter(exchange);
    volatile WebHandler handler = this::charge;

    /** One server for all tests; what it serves is the service that was plugged in last. */
    private static int start() {
        var handler = WebHttpHandlerBuilder.webHandler(exchange -> current.handler.handle(exchange))
                .filter(
                        (exchange, chain) -> current.front.filter(exchange, chain),
                        (exchange, chain) -> current.filter.filter(exchange, chain))
                .exceptionHandler(new ResponseStatusExceptionHandler())
                .build();
        return HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle(new ReactorHttpHandlerAdapter(handler))
                .bindNow()
                .port();
    }

    @BeforeEach
    void serve() {
        current = this;
    }

    static int port() {
        return PORT;
    }

    IdempotencyWebFilter filter(HttpRules rules) {
        return filter(store, PAYMENTS, rules);
    }

    /** Whoever says so is alice: what authentication would do is not the point here. */
    IdempotencyWebFilter filter(Store on, Operation operation, HttpRules rules) {
        Engine engine = Engine.on(on).withListener(events::add).with(operation);
        return IdempotencyWebFilter.on(HttpIdempotency.on(engine, rules), exchange -> {
            String name = exchange.getRequest().getHeaders().getFirst("X-User");
            return Mono.just(Caller.of(name == null ? "alice" : name));
        });
    }

    Mono<Void> charge(ServerWebExchange exchange) {
        int number = effects.incrementAndGet();
        exchange.getResponse().setStatusCode(HttpStatus.CREATED);
        exchange.getResponse().getHeaders().setLocation(URI.create("/payments/" + number));
        return write(exchange, "payment " + number);
    }

    static Mono<Void> write(ServerWebExchange exchange, String text) {
        var response = exchange.getResponse();
        response.getHeaders().setContentType(MediaType.valueOf("text/plain;charset=UTF-8"));
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(text.getBytes(UTF_8))));
    }

    WebHandler answering(int status) {
        return exchange -> {
            exchange.getResponse().setRawStatusCode(status);
            return write(exchange, "run " + effects.incrementAndGet());
        };
    }

    HttpRequest.Builder post() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + "/payments"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"orderId\":\"17\",\"amountCents\":500}"));
    }

    HttpRequest.Builder pay() {
        return post().header("Idempotency-Key", key);
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    static HttpRequest.BodyPublisher inChunks(String text) {
        return BodyPublishers.fromPublisher(BodyPublishers.ofString(text));
    }

    static boolean isReplayed(HttpResponse<?> response) {
        return response.headers().allValues("Idempotent-Replayed").equals(List.of("true"));
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    /** The name of the problem's type; empty where the answer is none. */
    static String problem(HttpResponse<String> response) {
        String before = "{\"type\":\"urn:semel:problem:";
        String text = response.body();
        return text.startsWith(before) ? text.substring(before.length(), text.indexOf('"', before.length())) : "";
    }

    /** Sends the request twice; the second answer is the first one's twin. */
    HttpResponse<String> isRepeated() throws Exception {
        HttpResponse<String> first = send(pay());
        HttpResponse<String> retry = send(pay());
        assertThat(isReplayed(first)).isFalse();
        assertThat(isReplayed(retry)).isTrue();
        assertThat(retry.statusCode()).isEqualTo(first.statusCode());
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(header(retry, "Content-Type")).isEqualTo(header(first, "Content-Type"));
        assertThat(header(retry, "Location")).isEqualTo(header(first, "Location"));
        return first;
    }

    long records() {
        Inspectable.Counts count = store.count();
        return count.held() + count.lapsed() + count.unknown() + count.settled() + count.gone();
    }

    <E extends Event> E await(Class<E> type) throws InterruptedException {
        while (true) {
            Event event = events.poll(30, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("No " + type.getSimpleName() + " came.");
            }
            if (type.isInstance(event)) {
                return type.cast(event);
            }
        }
    }
}
