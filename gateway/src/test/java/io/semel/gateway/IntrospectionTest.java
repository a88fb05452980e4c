// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.semel.gateway.config.yaml.ConfigError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Opaque tokens of which the issuer is asked whose they are. */
@Timeout(60)
class IntrospectionTest {

    @TempDir
    private Path directory;

    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Semaphore arrived = new Semaphore(0);
    private volatile CountDownLatch go = new CountDownLatch(0);
    private HttpServer issuer;
    private Path secret;

    @BeforeEach
    void start() throws IOException {
        secret = Files.writeString(directory.resolve("secret"), "s%1\n");
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.setExecutor(Executors.newCachedThreadPool());
        issuer.createContext("/", exchange -> {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            arrived.release();
            CountingService.await(go);
            // The pair "me" and "s%251", as RFC 6749 has it.
            boolean known =
                    "Basic bWU6cyUyNTE=".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String token = form.replaceAll("token=([^&]*)&.*", "$1");
            asked.add(token);
            CountingService.answer(
                    exchange, known ? 200 : 401, tokens.getOrDefault(token, "{\"active\":false,\"sub\":\"nobody\"}"));
        });
        issuer.start();
    }

    @AfterEach
    void stop() {
        issuer.stop(0);
    }

    private String scope(String more) {
        return "scope: {introspection: {url: 'http://127.0.0.1:"
                + issuer.getAddress().getPort() + "/ask', clientId: me, clientSecret: 'file:" + secret + "'" + more
                + "}}";
    }

    private static HttpResponse<String> pay(GatewayFixture rig, String key, String token) {
        return rig.pay(key, "{}", "Authorization", "Bearer " + token);
    }

    private void is(String token, String owner, long seconds) {
        tokens.put(
                token,
                "{\"active\":true,\"sub\":\"" + owner + "\",\"exp\":"
                        + Instant.now().plusSeconds(seconds).getEpochSecond() + "}");
    }

    @Test
    void aNewTokenIsTheSameCaller() {
        is("one", "alice", 600);
        is("two", "alice", 600);
        is("three", "bob", 600);
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            assertThat(pay(rig, "a", "one").body()).isEqualTo("effect 1");
            assertThat(pay(rig, "a", "two").body()).isEqualTo("effect 1");
            assertThat(pay(rig, "a", "three").body()).isEqualTo("effect 2");
            assertThat(rig.origin.heads.get(0).get("Authorization")).containsExactly("Bearer one");
        }
    }

    @Test
    void whatIsNotActiveIsRefused() {
        is("old", "alice", -1);
        tokens.put("nameless", "{\"active\":true}");
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            for (String token : List.of("unheard", "old", "nameless")) {
                HttpResponse<String> refused = pay(rig, "a", token);
                assertThat(refused.statusCode()).as(token).isEqualTo(401);
                assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            }
            assertThat(rig.pay("a", "{}", "Authorization", "Basic abc").statusCode())
                    .isEqualTo(401);
            assertThat(rig.origin.effects()).isZero();
        }
    }

    @Test
    void theIssuerIsAskedOnceForAWhile() {
        is("one", "alice", 600);
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            for (int i = 0; i < 5; i++) {
                pay(rig, "k" + i, "one");
                pay(rig, "k" + i, "none");
            }
            assertThat(asked).containsExactlyInAnyOrder("one", "none");
        }
    }

    @Test
    void aTokenIsBelievedNoLongerThanItIsGood() {
        try (GatewayFixture rig = new GatewayFixture(scope(", keep: 1h"))) {
            // What takes its time at first is not to use up the token's.
            pay(rig, "first", "none");
            is("one", "alice", 4);
            int status = pay(rig, "a", "one").statusCode();
            assertThat(status).isEqualTo(201);
            while (status == 201) {
                status = pay(rig, "a", "one").statusCode();
            }
            assertThat(status).isEqualTo(401);
            assertThat(asked).containsExactly("none", "one");
        }
    }

    @Test
    void anIssuerThatCannotBeAskedIsNoFaultOfTheCaller() {
        issuer.stop(0);
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            HttpResponse<String> refused = pay(rig, "a", "one");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("caller-not-checked");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void anIssuerThatDoesNotKnowTheGatewayIsNoFaultOfTheCallerEither() throws IOException {
        Files.writeString(secret, "wrong");
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            assertThat(pay(rig, "a", "one").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void nobodyElseWaitsForTheIssuer() {
        is("one", "alice", 600);
        go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            var waiting = new CopyOnWriteArrayList<Thread>();
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                String key = "k" + i;
                Thread thread = new Thread(() -> pay(rig, key, "one"));
                thread.start();
                waiting.add(thread);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(rig.pay("b" + i).statusCode()).isEqualTo(201);
            }
            assertThat(asked).isEmpty();
            go.countDown();
            for (Thread each : waiting) {
                each.join();
            }
            assertThat(rig.origin.effects("k0")).isEqualTo(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void knownCallersDoNotWaitForThoseWhoInventTokens() throws Exception {
        is("one", "alice", 600);
        try (GatewayFixture rig = new GatewayFixture(scope("") + "\nlimits: {storeThreads: 4}")) {
            assertThat(pay(rig, "a", "one").statusCode()).isEqualTo(201);
            go = new CountDownLatch(1);
            List<Thread> inventors = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String token = "invented" + i;
                Thread thread = new Thread(() -> pay(rig, token, token));
                thread.start();
                inventors.add(thread);
            }
            assertThat(arrived.tryAcquire(1 + 4, 30, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(pay(rig, "b" + i, "one").statusCode()).isEqualTo(201);
            }
            // All four threads that may ask are still waiting for their first answer.
            assertThat(arrived.availablePermits()).isZero();
            go.countDown();
            for (Thread each : inventors) {
                each.join();
            }
        }
    }

    @Test
    void theIssuerIsAskedAboutAFewTokensAtATime() throws Exception {
        go = new CountDownLatch(1);
        try (GatewayFixture rig = new GatewayFixture(scope(""))) {
            CountDownLatch told = new CountDownLatch(8);
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String token = "invented" + i;
                answers.add(
                        CompletableFuture.supplyAsync(() -> pay(rig, token, token), task -> new Thread(task).start())
                                .whenComplete((answer, failure) -> told.countDown()));
            }
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
            go.countDown();
            List<Integer> statuses = new ArrayList<>();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                statuses.add(answer.get(30, TimeUnit.SECONDS).statusCode());
            }
            assertThat(statuses).filteredOn(status -> status == 503).hasSize(8);
            assertThat(statuses).filteredOn(status -> status == 401).hasSize(4);
        }
    }

    @Test
    void aSecretDoesNotStandInTheSettings() {
        assertThatThrownBy(() -> new GatewayFixture(
                        "scope: {introspection: {url: 'http://x/y', clientId: a, clientSecret: hush}}"))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("env:NAME")
                .hasMessageNotContaining("hush");
    }

    @Test
    void inventedTokensLeaveHalfOfThePlacesToThoseThatWereCallers() throws Exception {
        is("one", "alice", 600);
        try (GatewayFixture rig = new GatewayFixture(scope(", keep: 1ms"))) {
            assertThat(pay(rig, "a", "one").statusCode()).isEqualTo(201);
            assertThat(arrived.tryAcquire(1, 30, TimeUnit.SECONDS)).isTrue();
            go = new CountDownLatch(1);
            Semaphore told = new Semaphore(0);
            List<Thread> inventors = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String token = "invented" + i;
                Thread thread = new Thread(() -> {
                    pay(rig, token, token);
                    told.release();
                });
                thread.start();
                inventors.add(thread);
            }
            GatewayChecks.await(
                    "all are asked for or refused", () -> arrived.availablePermits() + told.availablePermits() == 16);
            int before = arrived.availablePermits();
            CompletableFuture<HttpResponse<String>> known =
                    CompletableFuture.supplyAsync(() -> pay(rig, "b", "one"), task -> new Thread(task).start());
            GatewayChecks.await(
                    "it is asked for, or refused", () -> arrived.availablePermits() > before || known.isDone());
            go.countDown();

            assertThat(known.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
            for (Thread each : inventors) {
                each.join();
            }
        }
    }
}
