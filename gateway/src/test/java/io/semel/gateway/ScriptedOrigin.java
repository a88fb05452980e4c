// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.semel.testkit.http.ScriptedService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The service of the HTTP contract behind a gateway, and those whom the gateway asks beside it. */
final class ScriptedOrigin implements AutoCloseable {

    private final ScriptedService service = new ScriptedService();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ScriptedOrigin() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.createContext("/asked/may", exchange -> end(exchange, front(exchange) == 0 ? 204 : front(exchange), ""));
        server.createContext("/asked/happened", exchange -> verdict(exchange, "happened", "found"));
        server.createContext("/asked/did-not-happen", exchange -> verdict(exchange, "did-not-happen", ""));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static int front(HttpExchange exchange) {
        return ScriptedService.front(name -> first(exchange, name));
    }

    private static @Nullable String first(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    /** Refuses what a filter in front of the handler would; what is thrown is a 500, as in most servers. */
    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (front(exchange) != 0) {
            end(exchange, front(exchange), "");
            return;
        }
        ScriptedService.Reply reply;
        try {
            reply = service.handle(exchange.getRequestURI().getPath(), name -> first(exchange, name));
        } catch (ScriptedService.Failure e) {
            end(exchange, 500, "");
            return;
        }
        reply.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
        end(exchange, reply.status(), reply.body());
    }

    private static void verdict(HttpExchange exchange, String verdict, String body) throws IOException {
        exchange.getResponseHeaders().set("Semel-Verdict", verdict);
        end(exchange, 200, body);
    }

    private static void end(HttpExchange exchange, int status, String body) throws IOException {
        end(exchange, status, body.getBytes(UTF_8));
    }

    private static void end(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean bodiless = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, bodiless ? -1 : body.length);
        if (!bodiless) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        List<Runnable> unused = threads.shutdownNow();
    }
}
