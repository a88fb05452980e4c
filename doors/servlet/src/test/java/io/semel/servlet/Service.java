// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

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
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A service behind the filter on a real server, which counts what it does. */
abstract class Service {

    static final Operation PAYMENTS = Operation.named("payments");

    @Parameter
    Container container;

    final MemoryStore store = new MemoryStore();
    final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    final AtomicInteger effects = new AtomicInteger();
    final String key = UUID.randomUUID().toString();

    volatile IdempotencyFilter filter = filter(HttpRules.standard());
    volatile Filter front = (request, response, chain) -> chain.doFilter(request, response);
    volatile Filter behind = front;
    volatile Handler handler = this::charge;
    volatile boolean seesDispatches = true;

    private Client client;

    interface Handler {

        void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    @BeforeEach
    void serve() throws Exception {
        client = new Client(container.serve(this));
    }

    void door(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (seesDispatches || request.getDispatcherType() != DispatcherType.ASYNC) {
            filter.doFilter(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    IdempotencyFilter filter(HttpRules rules) {
        return filter(PAYMENTS, rules);
    }

    IdempotencyFilter filter(Operation operation, HttpRules rules) {
        return filter(store, operation, rules);
    }

    /** Whoever says so is alice: what authentication would do is not the point here. */
    IdempotencyFilter filter(Store on, Operation operation, HttpRules rules) {
        Engine engine = Engine.on(on).withListener(events::add).with(operation);
        return IdempotencyFilter.on(HttpIdempotency.on(engine, rules), request -> {
            String name = request.getHeader("X-User");
            return Caller.of(name == null ? "alice" : name);
        });
    }

    Client client() {
        return client;
    }

    Sent pay() {
        return Sent.post("/payments").key(key).json("{\"orderId\":\"17\",\"amountCents\":500}");
    }

    Got send(Sent sent) throws IOException {
        return client.send(sent);
    }

    void charge(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int number = effects.incrementAndGet();
        response.setStatus(201);
        response.setHeader("Location", "/payments/" + number);
        response.setContentType("text/plain;charset=UTF-8");
        response.getOutputStream().write(("payment " + number).getBytes(UTF_8));
    }

    Handler answering(int status) {
        return (request, response) -> {
            response.setStatus(status);
            response.getWriter().print("run " + effects.incrementAndGet());
        };
    }

    /** Sends the request twice; the second answer is the first one's twin. */
    Got isRepeated() throws IOException {
        Got first = send(pay());
        Got retry = send(pay());
        assertThat(first.replayed()).isFalse();
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.status()).isEqualTo(first.status());
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(retry.headers("Content-Type")).isEqualTo(first.headers("Content-Type"));
        assertThat(retry.headers("Location")).isEqualTo(first.headers("Location"));
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
