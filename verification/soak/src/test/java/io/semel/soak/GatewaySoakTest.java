// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import com.sun.net.httpserver.HttpServer;
import io.semel.Engine;
import io.semel.gateway.Gateway;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import io.semel.rocksdb.RocksStore;
import io.semel.store.Inspectable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewaySoakTest {

    @Test
    void theGatewayComesBackToWhereItWas(@TempDir Path directory) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        HttpServer service = service(threads);
        CountedTime time = new CountedTime();
        Path settings = Files.writeString(directory.resolve("semel.yaml"), """
            routes:
              - path: /**
                lease: 200ms
                retention: 500ms
                remembrance: 200ms
            """);
        String upstream = "http://127.0.0.1:" + service.getAddress().getPort();
        try (RocksStore store = RocksStore.open(directory.resolve("store"));
                Gateway gateway = Gateway.start(
                        SettingsReader.read(
                                settings, new Overrides("127.0.0.1:0", null, null, List.of("memory:"), upstream)),
                        Engine.on(store, time),
                        false)) {
            Soak.of("gateway")
                    .threads(16, new HttpTraffic(gateway.address().getPort()))
                    .count("timers above four", () -> Math.max(4, time.mostTimers()))
                    .bounded("io.semel.rocksdb.internal.database.RecentRows$Entry", 1 << 13)
                    .bounded("io.semel.rocksdb.internal.format.RowId", 1 << 13)
                    .bounded("io.semel.rocksdb.internal.format.SlotRow", 1 << 13)
                    .bounded("threads", 200)
                    .untilAtRest(() -> isEmpty(store))
                    .run();
        } finally {
            service.stop(0);
            threads.shutdownNow();
        }
    }

    private static HttpServer service(ExecutorService threads) throws IOException {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = "{\"paid\":true}".getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        service.start();
        return service;
    }

    private static boolean isEmpty(RocksStore store) {
        int purged;
        do {
            purged = store.purge(1000);
        } while (purged > 0);
        return store.page(Inspectable.View.OLDEST, null, 1).slots().isEmpty();
    }
}
