// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of requests whose service cannot be reached, or does not answer to the end, and of those whose client is gone. */
@Timeout(60)
class SilentServicesTest {

    @TempDir
    private Path directory;

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
    void aServiceThatCannotBeReachedLeavesTheKeyFree() throws Exception {
        int closed = closedPort();
        with("routes: [{path: /payments, upstream: 'http://127.0.0.1:" + closed + "'}]");

        HttpResponse<String> refused = rig.pay("a");
        assertThat(refused.statusCode()).isEqualTo(502);
        assertThat(refused.body()).contains("upstream-unreachable");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();

        try (ServerSocket server = new ServerSocket(closed)) {
            CompletableFuture<HttpResponse<String>> retry = rig.paying("a");
            try (Socket socket = server.accept()) {
                readHead(socket);
                write(socket, "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok");
                assertThat(retry.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void aServiceThatHangsUpLeavesTheOutcomeUnknown() {
        rig.origin.behaviour = CountingService::hangUp;

        HttpResponse<String> first = rig.pay("a");
        rig.origin.behaviour = CountingService::created;
        HttpResponse<String> retry = rig.pay("a");

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).contains("outcome-unknown");
        assertThat(retry.statusCode()).isEqualTo(409);
        assertThat(retry.body()).contains("outcome-unknown");
        assertThat(retry.headers().firstValue("Retry-After")).isEmpty();
        assertThat(rig.origin.effects()).isEqualTo(1);
    }

    @Test
    void aServiceThatHonoursTheKeyIsAskedAgainAfterSilence() {
        with("routes: [{path: /payments, whenSilent: rerun}]");
        rig.origin.behaviour = CountingService::hangUp;
        HttpResponse<String> first = rig.pay("a");
        rig.origin.behaviour = CountingService::created;

        HttpResponse<String> retry = rig.pay("a");

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(retry.body()).isEqualTo("effect 2");
        long before = Long.parseLong(rig.origin.heads.get(0).get("Semel-fence").get(0));
        long after = Long.parseLong(rig.origin.heads.get(1).get("Semel-fence").get(0));
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void whoeverKnowsIsAskedWhatBecameOfASilentRequest() throws Exception {
        AtomicReference<String> verdict = new AtomicReference<>("unknown");
        AtomicInteger status = new AtomicInteger(503);
        HttpServer witness = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        witness.createContext("/", exchange -> {
            String about = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean asked = exchange.getRequestMethod().equals("POST")
                    && exchange.getRequestURI().getQuery() == null
                    && about.startsWith("{\"key\":\"a\",\"scope\":\"http/anonymous\",\"fence\":");
            if (asked && !verdict.get().isEmpty()) {
                exchange.getResponseHeaders().set("Semel-Verdict", verdict.get());
            }
            CountingService.answer(exchange, asked ? status.get() : 500, "as the witness says");
        });
        witness.start();
        try {
            with("routes: [{path: /payments, whenSilent: 'http://127.0.0.1:"
                    + witness.getAddress().getPort() + "/what'}]");
            rig.origin.behaviour = CountingService::hangUp;
            rig.pay("a");

            assertThat(rig.pay("a").body()).contains("outcome-unknown");
            // What servers say of a path that they do not know is no verdict.
            verdict.set("");
            status.set(404);
            assertThat(rig.pay("a").body()).contains("outcome-unknown");
            status.set(200);
            assertThat(rig.pay("a").body()).contains("outcome-unknown");
            assertThat(rig.origin.effects()).isEqualTo(1);
            verdict.set("did-not-happen");
            assertThat(rig.pay("a").body()).contains("outcome-unknown");
            assertThat(rig.origin.effects()).isEqualTo(2);
            verdict.set("happened");
            assertThat(rig.pay("a").body()).isEqualTo("as the witness says");
            assertThat(rig.pay("a").headers().firstValue("Idempotent-Replayed")).isPresent();
            assertThat(rig.origin.effects()).isEqualTo(2);
        } finally {
            witness.stop(0);
        }
    }

    @Test
    void whoeverDoesNotAnswerIsAskedAFewThingsAtATimeAndHoldsUpNobodyElse() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch askedEight = new CountDownLatch(8);
        CountDownLatch answers = new CountDownLatch(1);
        HttpServer witness = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        witness.setExecutor(Executors.newCachedThreadPool());
        witness.createContext("/", exchange -> {
            asked.incrementAndGet();
            askedEight.countDown();
            CountingService.await(answers);
            happened(exchange, "as the witness says");
        });
        witness.start();
        try {
            with("limits: {storeThreads: 9}\nroutes: [{path: /payments, whenSilent: 'http://127.0.0.1:"
                    + witness.getAddress().getPort() + "/what'}]");
            rig.origin.behaviour = CountingService::hangUp;
            List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
            keys.forEach(rig::pay);
            rig.origin.behaviour = CountingService::created;

            CountDownLatch told = new CountDownLatch(12);
            List<CompletableFuture<HttpResponse<String>>> retries = keys.stream()
                    .map(key -> rig.paying(key).whenComplete((answer, failure) -> told.countDown()))
                    .toList();
            assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(askedEight.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(asked).hasValue(8);
            assertThat(rig.pay("another").statusCode()).isEqualTo(201);
            answers.countDown();
            for (CompletableFuture<HttpResponse<String>> retry : retries) {
                assertThat(retry.get(30, TimeUnit.SECONDS).body()).containsAnyOf("outcome-unknown", "as the witness");
            }
            assertThat(rig.origin.effects()).isEqualTo(21);
        } finally {
            answers.countDown();
            witness.stop(0);
        }
    }

    @Test
    void whoeverKnowsIsTrustedByItsCertificateLikeAService() throws Exception {
        Certificates own = new Certificates(directory, "witness");
        HttpsServer witness = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        witness.setHttpsConfigurator(new HttpsConfigurator(own.trusting(own)));
        witness.createContext("/", exchange -> happened(exchange, "as the witness says"));
        witness.start();
        String route = "routes: [{path: /payments, whenSilent: 'https://localhost:"
                + witness.getAddress().getPort() + "/what'}]\n";
        try {
            with(route);
            rig.origin.behaviour = CountingService::hangUp;
            rig.pay("a");
            assertThat(rig.pay("a").body()).contains("outcome-unknown");

            with(route + "upstreamTls: {trust: '" + own.certificate + "'}");
            rig.origin.behaviour = CountingService::hangUp;
            rig.pay("a");
            assertThat(rig.pay("a").body()).isEqualTo("as the witness says");
        } finally {
            witness.stop(0);
        }
    }

    @Test
    void anAnswerThatWouldNotBeKeptIsNotTakenFromWhoeverKnows() throws Exception {
        HttpServer witness = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        witness.createContext("/", exchange -> happened(exchange, "x".repeat(100_000)));
        witness.start();
        try {
            with("routes: [{path: /payments, answerBytes: 10KiB, whenSilent: 'http://127.0.0.1:"
                    + witness.getAddress().getPort() + "/what'}]");
            rig.origin.behaviour = CountingService::hangUp;
            rig.pay("a");

            assertThat(rig.pay("a").body()).contains("outcome-unknown");
        } finally {
            witness.stop(0);
        }
    }

    private static void happened(HttpExchange exchange, String answer) throws IOException {
        exchange.getResponseHeaders().set("Semel-Verdict", "happened");
        CountingService.answer(exchange, 200, answer);
    }

    @Test
    void aServiceThatIsTooSlowLeavesTheOutcomeUnknown() throws Exception {
        with("limits: {answerTime: 300ms}");
        CountDownLatch go = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> CountingService.await(go);

        HttpResponse<String> first = rig.pay("a");
        go.countDown();

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body()).contains("outcome-unknown");
        assertThat(rig.pay("a").body()).contains("outcome-unknown");
    }

    @Test
    void halfAnAnswerIsNoAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            with("routes: [{path: /payments, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            CompletableFuture<HttpResponse<String>> first = rig.paying("a");
            try (Socket socket = server.accept()) {
                readHead(socket);
                write(socket, "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nhalf of");
            }
            assertThat(first.get(20, TimeUnit.SECONDS).body()).contains("outcome-unknown");
        }
    }

    @Test
    void anAnswerWithoutALengthIsRecordedWhole() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            with("routes: [{path: /payments, upstream: 'http://127.0.0.1:" + server.getLocalPort() + "'}]");
            CompletableFuture<HttpResponse<String>> first = rig.paying("a");
            try (Socket socket = server.accept()) {
                readHead(socket);
                write(socket, "HTTP/1.0 201 Created\r\n\r\nall of it");
            }
            assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("all of it");
            assertThat(rig.pay("a").body()).isEqualTo("all of it");
        }
    }

    @Test
    void theWorkGoesOnWhenTheClientIsGone() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        rig.origin.behaviour = (exchange, body, effect) -> {
            CountingService.await(go);
            CountingService.created(exchange, body, effect);
        };
        try (Socket socket = RawHttp.connect(rig.port())) {
            write(
                    socket,
                    "POST /payments HTTP/1.1\r\nHost: 127.0.0.1:" + rig.port()
                            + "\r\nIdempotency-Key: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"amount\":1}");
            assertThat(rig.origin.arrived.await(20, TimeUnit.SECONDS)).isTrue();
        }
        go.countDown();

        HttpResponse<String> retry = rig.pay("a");
        while (retry.statusCode() == 409) {
            retry = rig.pay("a");
        }
        assertThat(retry.body()).isEqualTo("effect 1");
        assertThat(rig.origin.effects()).isEqualTo(1);
    }

    private static int closedPort() throws IOException {
        try (ServerSocket server = new ServerSocket(0)) {
            return server.getLocalPort();
        }
    }

    private static void readHead(Socket socket) throws IOException {
        socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("{\"amount\":1}")) {
            head.append((char) socket.getInputStream().read());
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }
}
