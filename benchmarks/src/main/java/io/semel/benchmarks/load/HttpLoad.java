// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Engine;
import io.semel.Operation;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.memory.MemoryStore;
import io.semel.servlet.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Measures what the servlet filter costs: an echo servlet on Jetty, 200 bytes in and out, the same requests to a route without
 * the filter and to one with it, on the memory store.
 *
 * <p>Clients are threads with a connection each, which they keep; they share the machine with the server. Arguments: numbers of
 * connections.
 */
public final class HttpLoad {

    private static final String BODY = new String(Answers.json(200), StandardCharsets.ISO_8859_1);

    private final Rounds rounds =
            new Rounds(Integer.getInteger("rounds", 7), Duration.ofMillis(Integer.getInteger("millis", 3000)));
    private final Server server = new Server(new QueuedThreadPool(200));
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    private HttpLoad() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Echo()), "/*");
        // Answers are swept soon, so that the rounds do not fill the store.
        Operation operation = Operation.named("echo")
                .retention(Duration.ofSeconds(2), Duration.ZERO)
                .waitWhenBusy(Duration.ofSeconds(10));
        Engine engine = Engine.on(new MemoryStore()).with(operation);
        HttpIdempotency door = HttpIdempotency.on(engine, HttpRules.standard());
        FilterHolder filter = new FilterHolder(IdempotencyFilter.on(door, request -> Caller.of("alice")));
        context.addFilter(filter, "/guarded", EnumSet.of(DispatcherType.REQUEST));
        server.setHandler(context);
        server.start();
    }

    public static void main(String[] args) throws Exception {
        HttpLoad load = new HttpLoad();
        try {
            for (String connections : args.length == 0 ? new String[] {"1", "16", "64"} : args) {
                load.measure(Integer.parseInt(connections));
            }
        } finally {
            load.server.stop();
        }
    }

    private void measure(int connections) throws Exception {
        try (HttpLine.Pool lines = new HttpLine.Pool(connector.getLocalPort())) {
            List<Contender> contenders = List.of(
                    new Contender("without the filter", number -> lines.post(request("/plain", key(number)))),
                    new Contender("with the filter, a new key", number -> lines.post(request("/guarded", key(number)))),
                    new Contender("with the filter, no key", number -> lines.post(request("/guarded", ""))),
                    new Contender(
                            "with the filter, replays", number -> lines.post(request("/guarded", key(number / 64)))));
            Table.print("Echo servlet on Jetty", connections, rounds.compare(connections, contenders));
        }
    }

    private static String key(long number) {
        return "Idempotency-Key: key-of-usual-length-" + number + "\r\n";
    }

    private static byte[] request(String path, String key) {
        String request =
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + BODY.length() + "\r\n" + key + "\r\n" + BODY;
        return request.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static final class Echo extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        }
    }
}
