// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.semel.StoreException;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.ConfigError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The admin port: health and metrics for machines, a page and JSON for operators; from this machine, or for whoever has the token. */
public final class AdminServer implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(AdminServer.class.getName());
    private static final int THREADS = 4;
    private static final int MOST_BODY = 2 << 20;
    private static final String LOOPBACK = "(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Console console;
    private final Assets assets = new Assets();
    private final @Nullable String token;

    private AdminServer(HttpServer server, ExecutorService threads, Console console, @Nullable String token) {
        this.server = server;
        this.threads = threads;
        this.console = console;
        this.token = token;
    }

    /** Refuses an address that others can reach without having to show anything. */
    public static void check(Address address, @Nullable String token) {
        if (token == null && !address.isLoopback()) {
            throw new ConfigError("The admin address " + address + " can be reached from other machines;"
                    + " set adminToken, SEMEL_ADMIN_TOKEN or --admin-token, or listen on 127.0.0.1.");
        }
    }

    public static AdminServer start(Address address, @Nullable String token, Console console) {
        check(address, token);
        try {
            HttpServer server = HttpServer.create(address.socket(), 0);
            ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
                Thread thread = new Thread(task, "semel-admin");
                thread.setDaemon(true);
                return thread;
            });
            AdminServer admin = new AdminServer(server, threads, console, token);
            server.setExecutor(threads);
            server.createContext("/", admin::handle);
            server.start();
            return admin;
        } catch (IOException e) {
            throw new ConfigError("The admin port cannot be opened at " + address + ": " + e.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Assets.protect(exchange.getResponseHeaders());
            String path = exchange.getRequestURI().getPath();
            byte[] asset = assets.find(path);
            if (path.equals("/health/live")) {
                send(exchange, 200, "application/json", "{\"status\":\"up\"}");
            } else if (path.equals("/health") || path.equals("/health/ready")) {
                send(exchange, console.health());
            } else if (!isAskedByName(exchange)) {
                send(
                        exchange,
                        Reply.error(401, "Ask for localhost, 127.0.0.1 or [::1]; other names need an admin token."));
            } else if (asset != null) {
                send(exchange, 200, Assets.type(path), asset);
            } else if (!showsToken(exchange)) {
                send(exchange, Reply.error(401, "Show the admin token: Authorization: Bearer …"));
            } else if (path.equals("/metrics")) {
                send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", console.metrics());
            } else {
                send(exchange, answer(exchange, path));
            }
        }
    }

    /** Without a token the name in Host has to be this machine's, so that no web page can make a browser ask for it. */
    private boolean isAskedByName(HttpExchange exchange) {
        String host = exchange.getRequestHeaders().getFirst("Host");
        return token != null || (host != null && host.matches(LOOPBACK));
    }

    private boolean showsToken(HttpExchange exchange) {
        if (token == null) {
            return true;
        }
        String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, shown.getBytes(StandardCharsets.UTF_8));
    }

    private Reply answer(HttpExchange exchange, String path) throws IOException {
        try {
            return switch (exchange.getRequestMethod()) {
                case "GET" -> console.get(path, query(exchange.getRequestURI().getRawQuery()));
                case "POST" -> post(exchange, path);
                default -> Reply.error(405, "Only GET and POST are understood.");
            };
        } catch (StoreException | UncheckedIOException e) {
            return Reply.error(503, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            return Reply.error(400, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "An admin request failed.", e);
            return Reply.error(500, "It failed; the log says how.");
        }
    }

    /** Only JSON: a web page of somewhere else cannot send that without asking first. */
    private Reply post(HttpExchange exchange, String path) throws IOException {
        if (!isFromHere(exchange)) {
            return Reply.error(403, "Only the gateway's own page may ask that.");
        }
        String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
        byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY + 1);
        if (!type.startsWith("application/json") || body.length > MOST_BODY) {
            return Reply.error(415, "Send JSON, at most " + MOST_BODY + " bytes of it.");
        }
        try {
            JsonNode json = JsonMapper.shared().readTree(body);
            if (!(json instanceof ObjectNode object)) {
                return Reply.error(400, "Send a JSON object.");
            }
            object.put("from", exchange.getRemoteAddress().getAddress().getHostAddress());
            return console.post(path, object);
        } catch (JacksonException e) {
            return Reply.error(400, "The body is not JSON.");
        }
    }

    /** Browsers say which page asks; programs that are none say nothing. */
    private static boolean isFromHere(HttpExchange exchange) {
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        return origin == null || origin.equals("http://" + host) || origin.equals("https://" + host);
    }

    static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                query.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        send(exchange, reply.status(), "application/json", reply.body().toString());
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        send(exchange, status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
