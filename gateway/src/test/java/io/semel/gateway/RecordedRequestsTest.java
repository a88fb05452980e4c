// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordedRequestsTest {

    private GatewayFixture rig = new GatewayFixture();

    @AfterEach
    void stop() {
        rig.close();
    }

    private void with(String yaml) {
        rig.close();
        rig = new GatewayFixture(yaml);
    }

    @Test
    void keyBodyFenceAndForwardingHeadersReachTheService() {
        rig.pay("a", "{\"amount\":42}", "Semel-Fence", "999", "X-Custom", "kept");

        assertThat(rig.origin.bodies.get(0)).isEqualTo("{\"amount\":42}".getBytes(StandardCharsets.UTF_8));
        var head = rig.origin.heads.get(0);
        assertThat(head.get("Idempotency-key")).containsExactly("a");
        assertThat(head.get("Semel-fence")).hasSize(1).doesNotContain("999");
        assertThat(head.get("X-custom")).containsExactly("kept");
        assertThat(head.get("X-forwarded-for")).containsExactly("127.0.0.1");
        assertThat(head.get("X-forwarded-proto")).containsExactly("http");
        assertThat(head.get("X-forwarded-host")).containsExactly("127.0.0.1:" + rig.port());
        assertThat(head.get("Forwarded").get(0)).startsWith("for=127.0.0.1;proto=http;host=");
    }

    @Test
    void whoForwardedItBeforeIsToldOnOneLineHoweverManyThereWere() {
        with("trustedProxies: [127.0.0.1]");
        rig.pay("a", "{}", "X-Forwarded-For", "10.0.0.1", "X-Forwarded-For", "10.0.0.2", "X-Forwarded-Proto", "gopher");

        var head = rig.origin.heads.get(0);
        assertThat(head.get("X-forwarded-for")).containsExactly("10.0.0.1, 10.0.0.2, 127.0.0.1");
        assertThat(head.get("X-forwarded-proto")).containsExactly("gopher");
    }

    @Test
    void anotherCredentialIsAnotherCaller() {
        rig.pay("a", "{}", "Authorization", "Bearer one");

        HttpResponse<String> other = rig.pay("a", "{}", "Authorization", "Bearer two");

        assertThat(other.body()).isEqualTo("effect 2");
        assertThat(rig.pay("a", "{}", "Authorization", "Bearer one").body()).isEqualTo("effect 1");
    }

    @Test
    void aDuplicateWaitsWhereTheRouteSaysSo() throws Exception {
        with("routes: [{path: /payments, waitWhenBusy: 20s}]");
        CountDownLatch go = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> {
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(rig.paying("a"));
        }
        assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
        go.countDown();

        for (CompletableFuture<HttpResponse<String>> each : all) {
            assertThat(each.get(30, TimeUnit.SECONDS).body()).isEqualTo("effect 1");
        }
    }

    @Test
    void aKeyIsRequiredWhereTheRouteSaysSo() {
        with("routes: [{path: /payments/**, key: required}]");

        assertThat(rig.send(rig.to("/payments")
                                .POST(BodyPublishers.ofString("x"))
                                .build())
                        .statusCode())
                .isEqualTo(400);
        assertThat(rig.send(rig.to("/others").POST(BodyPublishers.ofString("x")).build())
                        .statusCode())
                .isEqualTo(201);
        assertThat(rig.origin.effects()).isEqualTo(1);
    }

    @Test
    void aLargeBodyIsDigestedWhole() {
        String body = "y".repeat(5_000_000);

        assertThat(rig.pay("a", body).statusCode()).isEqualTo(201);
        assertThat(rig.pay("a", body).headers().firstValue("Idempotent-Replayed"))
                .isPresent();
        assertThat(rig.pay("a", body + "y").statusCode()).isEqualTo(422);
        assertThat(rig.origin.bodies.get(0)).hasSize(5_000_000);
    }

    @Test
    void aBodyAboveTheLimitIsRefusedUnread() {
        with("routes: [{path: /payments, bodyBytes: 1000}]");

        assertThat(rig.pay("a", "y".repeat(1001)).statusCode()).isEqualTo(413);
        // Many times, because an answer that the kernel takes back is a matter of chance.
        for (int i = 0; i < 30; i++) {
            assertThat(rig.send(rig.to("/payments")
                                    .header("Idempotency-Key", "b")
                                    .POST(BodyPublishers.ofInputStream(
                                            () -> new ByteArrayInputStream(new byte[5_000_000])))
                                    .build())
                            .statusCode())
                    .isEqualTo(413);
        }
        assertThat(rig.pay("a", "y").statusCode()).isEqualTo(201);
    }

    @Test
    void aFaultBeforeAnythingWasSentLetsTheKeyGo() {
        AtomicInteger told = new AtomicInteger();
        rig.gateway
                .traffic()
                .tellRequests(
                        seen -> {
                            if (told.getAndIncrement() == 0) {
                                throw new IllegalStateException("cannot hear it");
                            }
                        },
                        ended -> {});

        HttpResponse<String> faulty = rig.pay("a");
        HttpResponse<String> retry = rig.pay("a");

        assertThat(retry.body()).isEqualTo("effect 1");
        assertThat(faulty.statusCode()).isEqualTo(500);
    }
}
