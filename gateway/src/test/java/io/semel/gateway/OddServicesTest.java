// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services whose answers are not HTTP as it should be: every exchange ends, and nobody gets what is not theirs. */
@Timeout(60)
class OddServicesTest {

    private static final int LOOPS = Runtime.getRuntime().availableProcessors();
    private static final String GOOD = "HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\ngood";
    private static final String GET = "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 099 Nothing\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 1000 Nothing\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 -20 Nothing\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 0200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 \u000b200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX Y: z\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length X: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok",
                "ICY 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\nX: y\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
                "nonsense\r\n\r\n",
            })
    void anAnswerThatIsNoHttpIsNoneAndEndsTheExchange(String answer) throws Exception {
        try (ScriptedService service = new ScriptedService(answer);
                GatewayFixture rig = new GatewayFixture(service.route())) {
            service.closing = true;
            String passed = RawHttp.send(rig.port(), GET);
            HttpResponse<String> first = rig.pay("a");
            service.answer = GOOD;
            HttpResponse<String> retry = rig.pay("a");

            assertThat(passed).startsWith("HTTP/1.1 502 ").contains("upstream-failed");
            assertThat(first.statusCode()).isEqualTo(409);
            assertThat(first.body()).contains("outcome-unknown");
            assertThat(retry.body()).contains("outcome-unknown");
            assertThat(rig.gateway.drain(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void anUnaskedSwitchOpensNoTunnelOverHttp2Either() throws Exception {
        try (ScriptedService service = new ScriptedService(
                        "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
                GatewayFixture rig = new GatewayFixture(service.route());
                Http2Client client = new Http2Client(rig.port())) {
            client.send(
                    Http2Client.HEADERS,
                    Http2Client.END_HEADERS | Http2Client.END_STREAM,
                    1,
                    Http2Client.block(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "x"));

            assertThat(client.verdict()).isEqualTo("502");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 First\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
                "HTTP/1.1 200 First\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 First\r\nContent-Length: 2\r\n\r\nokH",
                "HTTP/1.1 200 First\r\nContent-Length: 2\r\n\r\nok\r\n",
                "HTTP/1.1 200 First\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 204 First\r\n\r\nevil",
            })
    void bytesBehindAnAnswerAreNobodysAnswer(String answer) throws Exception {
        try (ScriptedService service = new ScriptedService(answer);
                GatewayFixture rig =
                        new GatewayFixture(service.route() + "limits: {upstreamConnections: 1, connectTime: 30s}")) {
            service.go = new CountDownLatch(1);
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 8 * LOOPS; i++) {
                all.add(rig.paying("k" + i));
            }
            assertThat(service.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            service.go.countDown();
            for (CompletableFuture<HttpResponse<String>> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS).body()).isIn("ok", "");
            }
            for (int i = 0; i < 8 * LOOPS; i++) {
                HttpResponse<String> replay = rig.pay("k" + i);
                assertThat(replay.headers().firstValue("Idempotent-Replayed")).isPresent();
                assertThat(replay.body()).isIn("ok", "");
            }
            assertThat(service.connections()).isEqualTo(8 * LOOPS);
        }
    }

    @Test
    void theServicesVersionOfHttpIsNotTheClients() throws Exception {
        try (ScriptedService service = new ScriptedService("HTTP/1.0 200 OK\r\nX: y\r\n\r\nall of it");
                GatewayFixture rig = new GatewayFixture(service.route())) {
            service.closing = true;
            String passed = RawHttp.send(rig.port(), GET.replace("Connection: close\r\n", "") + GET);

            assertThat(passed).doesNotContain("HTTP/1.0");
            assertThat(passed.split("HTTP/1.1 200 OK\r\n", -1)).hasSize(3);
            assertThat(passed).contains("transfer-encoding: chunked").contains("9\r\nall of it\r\n0\r\n\r\n");
        }
    }

    @Test
    void whatIsSaidBeforeTheAnswerIsNotTheAnswer() throws Exception {
        try (ScriptedService service = new ScriptedService(
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + GOOD);
                GatewayFixture rig = new GatewayFixture(service.route())) {
            assertThat(rig.pay("a").body()).isEqualTo("good");
            assertThat(rig.pay("b").body()).isEqualTo("good");
            assertThat(RawHttp.send(rig.port(), GET)).startsWith("HTTP/1.1 201").endsWith("good");
        }
    }

    @Test
    void aPipelinedHeadTakesNothingFromTheAnswerBeforeIt() throws Exception {
        CountDownLatch both = new CountDownLatch(1);
        try (ScriptedService service = new ScriptedService(GOOD);
                GatewayFixture rig = new GatewayFixture(service.route());
                Socket client = RawHttp.connect(rig.port())) {
            service.go = both;
            client.setSoTimeout(20_000);
            client.getOutputStream()
                    .write(("GET /a HTTP/1.1\r\nHost: x\r\n\r\n" + GET.replace("GET", "HEAD"))
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(service.arrived.await(20, TimeUnit.SECONDS)).isTrue();
            both.countDown();
            String answers = RawHttp.read(client);

            assertThat(answers.split("HTTP/1.1 201 Created\r\n", -1)).hasSize(3);
            assertThat(answers.substring(0, answers.lastIndexOf("HTTP/1.1"))).endsWith("\r\n\r\ngood");
            assertThat(answers).endsWith("\r\n\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Len"})
    void aQuestionIsNotAskedAgainWhenAServiceHasHeardIt(String second) throws Exception {
        try (ScriptedService service = new ScriptedService(GOOD);
                GatewayFixture rig = new GatewayFixture(service.route() + "limits: {answerTime: 500ms}");
                Socket client = RawHttp.connect(rig.port())) {
            client.setSoTimeout(20_000);
            byte[] first = GET.replace("Connection: close\r\n", "").getBytes(StandardCharsets.US_ASCII);
            client.getOutputStream().write(first);
            assertThat(new String(client.getInputStream().readNBytes(20), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 201");
            service.answer = second;
            client.getOutputStream().write(GET.getBytes(StandardCharsets.US_ASCII));

            assertThat(RawHttp.read(client)).containsPattern("HTTP/1.1 50[24] ");
            assertThat(service.connections()).isEqualTo(1);
            assertThat(service.requests).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatEndsWithItsConnectionIsWholeOnlyIfTlsWasEndedToo(boolean cut, @TempDir Path directory)
            throws Exception {
        Certificates own = new Certificates(directory, "service");
        try (ScriptedService service = new ScriptedService(
                        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npart", own.trusting(own), cut);
                GatewayFixture rig = new GatewayFixture(service.route().replace("http:", "https:")
                        + "upstreamTls: {trust: '" + own.certificate + "'}")) {
            service.closing = true;

            HttpResponse<String> answer = rig.pay("a");

            assertThat(answer.statusCode()).isEqualTo(cut ? 409 : 200);
            assertThat(answer.body()).contains(cut ? "outcome-unknown" : "part");
        }
    }
}
