// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import io.semel.testservers.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class SeveralGatewaysTest {

    /** Clients reach both by names of their own, which the service is not told: otherwise they would be part of a request. */
    private static final String SETTINGS =
            "routes: [{path: /**, upstream: 'UPSTREAM', host: upstream, waitWhenBusy: 20s}]";

    @TempDir
    private Path directory;

    @Test
    void twoGatewaysOnOneDatabaseBehaveAsOne() throws Exception {
        behaveAsOne(List.of(Databases.postgresql()));
    }

    @Test
    void twoGatewaysOnOneMariaDbBehaveAsOneWhateverIsInThePassword() throws Exception {
        behaveAsOne(List.of(Databases.mariadb()));
    }

    @Test
    void twoGatewaysOnOneRedisBehaveAsOne() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            behaveAsOne(List.of("redis://127.0.0.1:" + redis.port()));
        }
    }

    @Test
    void answersInRedisStandInFrontOfADatabaseAndMayBeLost() throws Exception {
        try (RedisServer redis = RedisServer.start();
                CountingService origin = new CountingService()) {
            List<String> urls = List.of("redis://127.0.0.1:" + redis.port(), Databases.postgresql());
            behaveAsOne(urls);
            try (OpenStore open = StoreUrl.open(urls, true);
                    Gateway gateway = gateway(open, origin)) {
                HttpClient client = HttpClient.newHttpClient();
                assertThat(client.send(payment(gateway, "x"), BodyHandlers.ofString())
                                .body())
                        .isEqualTo("effect 1");
                redis.kill();
                assertThat(client.send(payment(gateway, "x"), BodyHandlers.ofString())
                                .body())
                        .isEqualTo("effect 1");
            }
        }
    }

    private void behaveAsOne(List<String> urls) throws Exception {
        try (CountingService origin = new CountingService();
                OpenStore here = StoreUrl.open(urls, true);
                OpenStore there = StoreUrl.open(urls, true);
                Gateway one = gateway(here, origin);
                Gateway two = gateway(there, origin)) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            HttpClient client = HttpClient.newHttpClient();
            for (int i = 0; i < 200; i++) {
                Gateway gateway = i % 2 == 0 ? one : two;
                all.add(client.sendAsync(payment(gateway, "k" + i / 10), BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> each : all) {
                assertThat(each.get(60, TimeUnit.SECONDS).body()).isEqualTo("effect 1");
            }
            assertThat(origin.effects()).isEqualTo(20);
        }
    }

    private Gateway gateway(OpenStore open, CountingService origin) throws Exception {
        Path file = directory.resolve("semel.yaml");
        Files.writeString(file, SETTINGS.replace("UPSTREAM", origin.url()));
        Overrides overrides = new Overrides("127.0.0.1:0", null, null, List.of("memory:"), null);
        return Gateway.start(SettingsReader.read(file, overrides), Engine.on(open.store()), open.isQuick());
    }

    private static HttpRequest payment(Gateway gateway, String key) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/pay"))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{}"))
                .build();
    }
}
