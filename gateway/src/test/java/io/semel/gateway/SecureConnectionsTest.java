// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.semel.gateway.net.ReloadingTls;
import io.semel.gateway.traffic.Traffic;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecureConnectionsTest {

    @TempDir
    private static Path directory;

    private static Certificates server;
    private static Certificates one;
    private static Certificates two;

    @BeforeAll
    static void certificates() throws Exception {
        server = new Certificates(directory, "server");
        one = new Certificates(directory, "one");
        two = new Certificates(directory, "two");
    }

    private static String tls(String more) {
        return "tls: {certificate: '" + server.certificate + "', key: '" + server.key + "'" + more + "}";
    }

    private static HttpResponse<String> pay(GatewayFixture rig, HttpClient client, String key) throws Exception {
        return client.send(payment(rig, key), BodyHandlers.ofString());
    }

    private static HttpRequest payment(GatewayFixture rig, String key) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + rig.port() + "/payments"))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{}"))
                .build();
    }

    @Test
    void aRenewedCertificateIsUsedWithoutARestartAndABadOneIsNot() throws Exception {
        Path certificate = Files.copy(server.certificate, directory.resolve("renewed.crt"));
        Path key = Files.copy(server.key, directory.resolve("renewed.key"));
        try (GatewayFixture rig = new GatewayFixture("tls: {certificate: '" + certificate + "', key: '" + key + "'}")) {
            assertThat(isAcceptedBy(one.trusting(server), rig)).isTrue();
            assertThat(isAcceptedBy(one.trusting(two), rig)).isFalse();

            Files.writeString(certificate, "not a certificate");
            awaitLooks(rig);
            assertThat(isAcceptedBy(one.trusting(server), rig)).isTrue();

            Files.copy(two.key, key, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(two.certificate, certificate, StandardCopyOption.REPLACE_EXISTING);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!isAcceptedBy(one.trusting(two), rig) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(isAcceptedBy(one.trusting(two), rig)).isTrue();
        }
    }

    /** Connects until the files must have been looked at. */
    private static void awaitLooks(GatewayFixture rig) throws Exception {
        long end = System.nanoTime() + 2 * ReloadingTls.INTERVAL.toNanos();
        while (System.nanoTime() < end) {
            assertThat(isAcceptedBy(one.trusting(server), rig)).isTrue();
        }
    }

    private static boolean isAcceptedBy(SSLContext client, GatewayFixture rig) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", rig.port())) {
            socket.startHandshake();
            return true;
        } catch (SSLHandshakeException e) {
            return false;
        }
    }

    @Test
    void http2OverTlsIsReplayedToHttp1() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            HttpClient two2 = HttpClient.newBuilder()
                    .sslContext(one.trusting(server))
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            HttpClient one1 = HttpClient.newBuilder()
                    .sslContext(one.trusting(server))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();

            HttpResponse<String> first = pay(rig, two2, "a");
            HttpResponse<String> retry = pay(rig, one1, "a");

            assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(first.body()).isEqualTo("effect 1");
            assertThat(retry.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(retry.body()).isEqualTo("effect 1");
            assertThat(rig.origin.heads.get(0).get("X-forwarded-proto")).containsExactly("https");
            assertThat(rig.origin.heads.get(0).keySet()).noneMatch(name -> name.startsWith("X-http2"));
        }
    }

    @Test
    void manyStreamsOfOneConnectionRunAtOnce() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(one.trusting(server))
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            pay(rig, client, "warm");
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                all.add(client.sendAsync(payment(rig, "k" + i % 30), BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isIn(201, 409);
            }
            assertThat(rig.origin.effects()).isEqualTo(31);
            assertThat(rig.gateway.connections()).isEqualTo(1);
        }
    }

    @Test
    void aLargeBodyStreamsThroughHttp2BothWays() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            String large = "z".repeat(3_000_000);
            rig.origin.behaviour = (exchange, body, effect) ->
                    CountingService.answer(exchange, 200, new String(body, StandardCharsets.UTF_8));
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(one.trusting(server))
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + rig.port() + "/echo"))
                    .POST(BodyPublishers.ofString(large))
                    .build();

            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo(large);
        }
    }

    @Test
    void aGatewayThatStopsSaysSoToHttp2AndFinishesTheStreamsThatAreOpen() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture();
                Http2Client connection = new Http2Client(rig.port())) {
            rig.origin.behaviour = (exchange, body, effect) -> {
                CountingService.await(go);
                CountingService.created(exchange, body, effect);
            };
            get(connection);
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(
                    () -> drain(rig.gateway), task -> new Thread(task, "draining").start());

            assertThat(connection.frame(Http2Client.GO_AWAY)).startsWith(0, 0, 0, 1, 0, 0, 0, 0);
            assertThat(drained).isNotDone();
            go.countDown();
            assertThat(connection.verdict()).isEqualTo("201");
            assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(connection.in.readAllBytes()).isNotNull();
        }
    }

    private static boolean drain(Gateway gateway) {
        try {
            return gateway.drain(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void get(Http2Client connection) throws IOException {
        byte[] head = Http2Client.block(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "x");
        connection.send(Http2Client.HEADERS, Http2Client.END_HEADERS | Http2Client.END_STREAM, 1, head);
    }

    @Test
    void http2InTheClearNeedsNoUpgrade() throws Exception {
        try (GatewayFixture rig = new GatewayFixture();
                Http2Client connection = new Http2Client(rig.port())) {
            get(connection);
            assertThat(connection.verdict()).isEqualTo("201");
            assertThat(rig.origin.effects()).isEqualTo(1);
        }
    }

    @Test
    void aCertificateIsACaller() throws Exception {
        Path both = directory.resolve("both.crt");
        Files.writeString(both, Files.readString(one.certificate) + Files.readString(two.certificate));
        try (GatewayFixture rig = new GatewayFixture(tls(", trust: '" + both + "'"))) {
            HttpClient first =
                    HttpClient.newBuilder().sslContext(one.trusting(server)).build();
            HttpClient second =
                    HttpClient.newBuilder().sslContext(two.trusting(server)).build();

            assertThat(pay(rig, first, "a").body()).isEqualTo("effect 1");
            assertThat(pay(rig, second, "a").body()).isEqualTo("effect 2");
            assertThat(pay(rig, first, "a").body()).isEqualTo("effect 1");
        }
    }

    @Test
    void anUpstreamWithTlsIsTrustedOnlyByItsCertificate() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        HttpsServer service = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setHttpsConfigurator(new HttpsConfigurator(server.trusting(server)));
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            CountingService.answer(exchange, 201, "secure " + effects.incrementAndGet());
        });
        service.start();
        String route = "routes: [{path: /payments, upstream: 'https://localhost:"
                + service.getAddress().getPort() + "'}]";
        try (GatewayFixture trusting =
                        new GatewayFixture(route + "\nupstreamTls: {trust: '" + server.certificate + "'}");
                GatewayFixture wary = new GatewayFixture(route)) {
            assertThat(trusting.pay("a").body()).isEqualTo("secure 1");
            assertThat(trusting.pay("a").body()).isEqualTo("secure 1");
            assertThat(wary.pay("b").statusCode()).isEqualTo(502);
            assertThat(effects).hasValue(1);
        } finally {
            service.stop(0);
        }
    }

    @Test
    void aConnectionCountsWithWhatTlsTakesAndAnIdleOneMakesRoom() throws Exception {
        List<SSLSocket> open = new ArrayList<>();
        try (GatewayFixture rig = new GatewayFixture(tls("") + "\nlimits: {bufferBytes: 1MiB, addressShare: 100}")) {
            while (rig.gateway.buffered() < 800_000 && open.size() < 100) {
                SSLSocket socket =
                        (SSLSocket) one.trusting(server).getSocketFactory().createSocket("127.0.0.1", rig.port());
                socket.startHandshake();
                open.add(socket);
            }
            assertThat(rig.gateway.buffered()).isGreaterThanOrEqualTo(800_000);
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(one.trusting(server))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            HttpRequest large = HttpRequest.newBuilder(URI.create("https://localhost:" + rig.port() + "/payments"))
                    .header("Idempotency-Key", "large")
                    .POST(BodyPublishers.ofString("x".repeat(600_000)))
                    .build();

            GatewayChecks.await("there is room", () -> isPaid(client, large));
            assertThat(rig.gateway.traffic().count(Traffic.Count.UNREAD)).isPositive();
        } finally {
            for (SSLSocket each : open) {
                each.close();
            }
        }
    }

    /** In the first second no connection has been idle for long. */
    private static boolean isPaid(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString()).statusCode() == 201;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
