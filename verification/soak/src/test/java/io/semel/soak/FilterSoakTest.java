// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.Engine;
import io.semel.Operation;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import io.semel.servlet.IdempotencyFilter;
import io.semel.store.Inspectable;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

class FilterSoakTest {

    private static final int THREADS = 32;

    private final MemoryStore store = new MemoryStore();
    private final CountedTime time = new CountedTime();

    @Test
    void theFilterComesBackToWhereItWas() throws Exception {
        Server server = new Server(new QueuedThreadPool(THREADS, THREADS));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(context());
        server.start();
        try {
            Soak.of("filter")
                    .threads(16, new HttpTraffic(connector.getLocalPort()))
                    .count("timers above four", () -> Math.max(4, time.mostTimers()))
                    .bounded("threads", 100)
                    .untilAtRest(this::isEmpty)
                    .run();
        } finally {
            server.stop();
        }
    }

    private ServletContextHandler context() {
        Operation operation = Operation.named("pay")
                .lease(Duration.ofMillis(150))
                .retention(Duration.ofMillis(500), Duration.ofMillis(200));
        HttpIdempotency door = HttpIdempotency.on(Engine.on(store, time).with(operation), HttpRules.standard());
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Payments()), "/*");
        context.addFilter(
                new FilterHolder(IdempotencyFilter.on(door, request -> Caller.of("alice"))),
                "/*",
                EnumSet.of(DispatcherType.REQUEST));
        return context;
    }

    private boolean isEmpty() {
        Inspectable.Counts counts = store.count();
        return counts.held() + counts.lapsed() + counts.settled() + counts.gone() == 0;
    }

    private static final class Payments extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
            response.setStatus(HttpServletResponse.SC_CREATED);
            response.setContentType("application/json");
            response.getWriter().write("{\"paid\":true}");
        }
    }
}
