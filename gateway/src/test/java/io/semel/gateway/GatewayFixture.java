// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.gateway.config.SessionSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.memory.MemoryStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A gateway before an origin, with a client. */
final class GatewayFixture implements AutoCloseable {

    final CountingService origin = new CountingService();
    final Gateway gateway;
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    GatewayFixture() {
        this("", new MemoryStore());
    }

    /** @param yaml more settings; UPSTREAM stands for the origin */
    GatewayFixture(String yaml) {
        this(yaml, new MemoryStore());
    }

    GatewayFixture(String yaml, Store store) {
        Settings settings = settings(yaml);
        SessionSettings terms = settings.sessions();
        SessionStore sessions = terms == null ? null : new MemorySessions(terms.cap());
        gateway = Gateway.start(
                settings,
                Engine.on(store),
                terms == null ? null : terms.offer(sessions, Engine.on(sessions)),
                store instanceof MemoryStore);
    }

    GatewayFixture(String yaml, Engine engine) {
        gateway = Gateway.start(settings(yaml), engine, true);
    }

    /** A gateway with sessions in that store, of which the listener is told. */
    GatewayFixture(String yaml, SessionStore sessions, Listener listener) {
        Settings settings = settings(yaml);
        SessionSettings terms = Objects.requireNonNull(settings.sessions());
        Engine numbered = Engine.on(sessions).withListener(listener);
        gateway = Gateway.start(settings, Engine.on(new MemoryStore()), terms.offer(sessions, numbered), true);
    }

    private Settings settings(String yaml) {
        try {
            Path file = Files.createTempFile("semel", ".yaml");
            Files.writeString(file, yaml.replace("UPSTREAM", origin.url()));
            try {
                return SettingsReader.read(
                        file, new Overrides("127.0.0.1:0", null, null, List.of("memory:"), origin.url()));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return gateway.address().getPort();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> pay(String key) {
        return pay(key, "{\"amount\":1}");
    }

    HttpResponse<String> pay(String key, String body, String... headers) {
        HttpRequest.Builder request =
                to("/payments").header("Idempotency-Key", key).header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.POST(BodyPublishers.ofString(body)).build());
    }

    CompletableFuture<HttpResponse<String>> paying(String key) {
        HttpRequest request = to("/payments")
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"amount\":1}"))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        gateway.close();
        origin.close();
    }
}
