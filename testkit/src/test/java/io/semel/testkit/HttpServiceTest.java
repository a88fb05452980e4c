// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.StoreException;
import io.semel.WhenAbandoned;
import io.semel.testkit.fault.FlakyStore;
import io.semel.testkit.fault.SimulatedCrash;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A service behind HTTP, which the sender reaches only over the wire and which nobody restarts. */
class HttpServiceTest {

    private final FlakyStore store = FlakyStore.on(new io.semel.memory.MemoryStore());
    private final Engine engine = Engine.on(store).with(Operation.named("rerun").whenAbandoned(WhenAbandoned.rerun()));
    private final Map<String, String> provider = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/payments", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @SentTwice
    void aPostIsOnePayment(Sender sender) {
        HttpRequest post = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + server.getAddress().getPort() + "/payments"))
                .header("Idempotency-Key", "order-17")
                .POST(HttpRequest.BodyPublishers.ofString("500"))
                .build();
        sender.over(store)
                .busyWhen(HttpResponse.class, response -> response.statusCode() == 409)
                .send(() -> client.send(post, HttpResponse.BodyHandlers.ofString()))
                .hasEffects(1, provider::size)
                .answersEqually(response -> response.statusCode() + " " + response.body());
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            byte[] body = exchange.getRequestBody().readAllBytes();
            Outcome<String> outcome = engine.run(
                    Call.of(Key.of("payments", key), Fingerprint.of(body)),
                    Codec.utf8(),
                    attempt -> charge(attempt.derive("charge")));
            answer(
                    exchange,
                    outcome instanceof Outcome.Done<String> ? 201 : 409,
                    outcome instanceof Outcome.Done<String> done ? done.value() : "busy");
        } catch (StoreException e) {
            answer(exchange, 503, "try again");
        } catch (SimulatedCrash e) {
            answer(exchange, 500, "crashed");
        }
    }

    private String charge(String providerKey) {
        return provider.computeIfAbsent(providerKey, first -> "receipt " + (provider.size() + 1));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
