// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many connections a service gets; each event loop has its share, at least one. */
@Timeout(60)
class UpstreamConnectionsTest {

    private static final int LOOPS = Runtime.getRuntime().availableProcessors();

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private CountingService.Behaviour counting(CountDownLatch go) {
        return (exchange, body, effect) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            CountingService.await(go);
            now.decrementAndGet();
            CountingService.created(exchange, body, effect);
        };
    }

    @Test
    void whoeverIsOneTooManyWaitsForAFreeConnection() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture("limits: {upstreamConnections: 1, connectTime: 30s}")) {
            rig.origin.behaviour = counting(go);
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(rig.paying("k" + i));
            }
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            for (CompletableFuture<HttpResponse<String>> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
            }
            assertThat(most.get()).isBetween(1, LOOPS);
            assertThat(rig.origin.effects()).isEqualTo(20);
        }
    }

    @Test
    void whoeverWaitsTooLongIsRefusedWithoutHavingBeenSentAndMayRetry() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture("limits: {upstreamConnections: 1, connectTime: 1s}")) {
            rig.origin.behaviour = counting(go);
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i <= LOOPS; i++) {
                all.add(rig.paying("k" + i));
            }
            HttpResponse<String> refused = CompletableFuture.anyOf(all.toArray(CompletableFuture[]::new))
                    .thenApply(any -> all.stream()
                            .filter(CompletableFuture::isDone)
                            .findFirst()
                            .orElseThrow()
                            .join())
                    .get(30, TimeUnit.SECONDS);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            go.countDown();
            for (int i = 0; i <= LOOPS; i++) {
                all.get(i).get(30, TimeUnit.SECONDS);
                assertThat(rig.pay("k" + i).statusCode()).isEqualTo(201);
                assertThat(rig.origin.effects("k" + i)).isEqualTo(1);
            }
        }
    }

    @Test
    void connectionsThatFailAreNotCountedForEver() {
        try (GatewayFixture rig = new GatewayFixture("limits: {upstreamConnections: 1, connectTime: 5s}")) {
            rig.origin.behaviour = CountingService::hangUp;
            for (int i = 0; i < 4 * LOOPS; i++) {
                assertThat(rig.pay("lost" + i).statusCode()).isEqualTo(409);
            }
            rig.origin.behaviour = CountingService::created;
            for (int i = 0; i < 4 * LOOPS; i++) {
                assertThat(rig.pay("k" + i).statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void anAddressLeavesConnectionsToOthers() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        int attempts = 24 * LOOPS;
        CountDownLatch refused = new CountDownLatch(attempts - 8 * LOOPS);
        try (GatewayFixture rig =
                new GatewayFixture("limits: {upstreamConnections: " + 8 * LOOPS + ", connectTime: 2s}")) {
            rig.origin.behaviour = (exchange, body, effect) -> {
                if (exchange.getRequestMethod().equals("POST")) {
                    CountingService.await(go);
                }
                CountingService.created(exchange, body, effect);
            };
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < attempts; i++) {
                CompletableFuture<HttpResponse<String>> each = rig.paying("k" + i);
                all.add(each.whenComplete((answer, failure) -> refused.countDown()));
            }
            assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();

            for (int i = 0; i < 2 * LOOPS; i++) {
                assertThat(askFrom(9, rig)).startsWith("HTTP/1.1 201");
            }
            go.countDown();
            for (CompletableFuture<HttpResponse<String>> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isIn(201, 503);
            }
        }
    }

    private static String askFrom(int host, GatewayFixture rig) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(),
                rig.port(),
                InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host}),
                0)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return RawHttp.read(socket);
        }
    }
}
