// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
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
}
