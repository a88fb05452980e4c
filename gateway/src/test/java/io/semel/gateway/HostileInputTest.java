// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.traffic.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HostileInputTest {

    private static final String REFUSED = "(?s)HTTP/1.1 (4\\d\\d|501) .*";

    private static final String PAYMENT =
            "POST /payments HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: after\r\n"
                    + "Content-Length: 2\r\n\r\n{}";

    private static final GatewayFixture RIG =
            new GatewayFixture("limits: {headerTime: 1s, idleTime: 1s, bodyTime: 1s}");

    /** On a connection of its own: one that was kept might be closed for being idle just when it is used. */
    @AfterEach
    void itStillServes() throws IOException {
        assertThat(RawHttp.send(RIG.port(), PAYMENT)).startsWith("HTTP/1.1 201");
        RIG.origin.forget();
    }

    @AfterAll
    static void stop() {
        RIG.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3x\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nX-Folded: a\r\n b\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\n\tContent-Length: 3\r\n\r\nabc",
                "POST / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
                "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x y\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nX-Bad: a\rb\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nX-Bad: a\0b\r\n\r\n",
                "POST / HTTP/1.1\nHost: x\n\n",
                "POST /a b HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /../etc HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /a/%2E%2e/b HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST / HTTP/9.9\r\nHost: x\r\n\r\n",
                "POST / http/1.1\r\nHost: x\r\n\r\n",
                "POST / HTTP/01.1\r\nHost: x\r\n\r\n",
                "POST / HTTP/1.1 \r\nHost: x\r\n\r\n",
                "POST  / HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST\t/ HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST \u000b/ HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST / HTTP/1.0\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                "POST / HTTP/1.0\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
                "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
                "nonsense\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000hello tls\r\n\r\n",
            })
    void whatCouldBeReadInTwoWaysIsRefused(String request) throws IOException {
        String answer = RawHttp.send(RIG.port(), request);

        assertThat(answer).matches(REFUSED);
        assertThat(RIG.origin.heads).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\r\nabcdeX\r\n0\r\n\r\n",
                "zz\r\nabc\r\n0\r\n\r\n",
                "-1\r\nabc\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n",
                "3;\nabc\r\n0\r\n\r\n",
            })
    void aBadChunkIsRefusedAndTheServiceSeesNoWholeRequest(String chunks) throws IOException {
        String answer = RawHttp.send(
                RIG.port(),
                "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);

        assertThat(answer).matches(REFUSED);
        assertThat(RIG.origin.effects()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
                " GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX(: y\r\n\r\n",
            })
    void whoeverIsBeforeSomethingThatCannotBeReadIsAnswered(String next) throws IOException {
        String answer = RawHttp.send(RIG.port(), PAYMENT.replace("Connection: close\r\n", "") + next);

        assertThat(answer).startsWith("HTTP/1.1 201 ").contains("HTTP/1.1 400 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/2.0\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
            })
    void nothingIsReadBehindARequestOfWhichNobodyKnowsWhereItEnds(String request) throws IOException {
        String answer = RawHttp.send(RIG.port(), request + PAYMENT);

        assertThat(answer).matches(REFUSED);
        assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aRequestCannotBeSmuggledBehindAnother() throws IOException {
        String answer = RawHttp.send(
                RIG.port(),
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /secret HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(answer).matches(REFUSED);
        assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aHeaderOfTenMegabytesIsRefused() throws IOException {
        byte[] request = ("POST / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(10 << 20) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);

        assertThat(RawHttp.send(RIG.port(), request)).startsWith("HTTP/1.1 431");
    }

    @Test
    void anEndlessTargetIsRefused() throws IOException {
        assertThat(RawHttp.send(RIG.port(), "GET /" + "a".repeat(1 << 20) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 414");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"",
                "\"a",
                "a b",
                "\"\u0007\"",
                "a, b",
                "ä",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void aMalformedKeyIsRefused(String key) throws IOException {
        String answer = RawHttp.send(
                RIG.port(),
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIdempotency-Key: " + key
                        + "\r\nContent-Length: 0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400");
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aHeadThatComesTooSlowlyIsGivenUp() throws IOException {
        try (Socket socket = RawHttp.connect(RIG.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write("POST / HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));

            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 408");
        }
    }

    /** Each byte in time does not make the whole in time. */
    @Test
    void aHeadThatComesByteByByteIsGivenUpToo() throws IOException {
        ScheduledExecutorService dripping = Executors.newSingleThreadScheduledExecutor();
        try (Socket socket = RawHttp.connect(RIG.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write("POST / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            dripping.scheduleAtFixedRate(() -> drip(out), 50, 50, TimeUnit.MILLISECONDS);

            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 408");
        } finally {
            dripping.shutdownNow();
        }
    }

    private static void drip(OutputStream out) {
        try {
            out.write('a');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aHeadBehindAnotherRequestHasToComeInTimeToo() throws IOException {
        String answers = RawHttp.send(RIG.port(), PAYMENT.replace("Connection: close\r\n", "") + "POST / HT");

        assertThat(statuses(answers)).containsExactly("201", "408");
    }

    private static List<String> statuses(String answers) {
        return Pattern.compile("(?<=HTTP/1.1 )\\d+")
                .matcher(answers)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void aBodyThatIsLongerThanItsLengthIsNoPartOfTheRequest() throws IOException {
        String request = PAYMENT.replace("Connection: close\r\n", "").replace("after", "longer");
        String answers = RawHttp.send(RIG.port(), request + "{}{}\r\n\r\nGET / HTTP/1.1\r\n\r\n");

        assertThat(statuses(answers)).containsExactly("201", "400");
        assertThat(RIG.origin.bodies).containsExactly("{}".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aBodyThatIsCutOffRunsNothing() throws IOException {
        try (Socket socket = RawHttp.connect(RIG.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(PAYMENT.replace("Length: 2", "Length: 9").getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            assertThat(RawHttp.read(socket)).isEmpty();
        }
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aBodyThatComesTooSlowlyIsGivenUp() throws IOException {
        String answer = RawHttp.send(
                RIG.port(), "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nContent-Length: 100\r\n\r\nonly this");

        assertThat(answer).startsWith("HTTP/1.1 408");
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void connectionsThatSayNothingAreClosed() throws IOException {
        try (Socket socket = RawHttp.connect(RIG.port())) {
            socket.setSoTimeout(20_000);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void connectionsAboveTheLimitAreTurnedAwayAndTheOthersStay() throws Exception {
        List<Socket> open = new ArrayList<>();
        CountDownLatch turnedAway = new CountDownLatch(20);
        try (GatewayFixture rig = new GatewayFixture("limits: {connections: 40}")) {
            rig.gateway.traffic().tell(count -> {
                if (count == Traffic.Count.TURNED_AWAY) {
                    turnedAway.countDown();
                }
            });
            Socket first = RawHttp.connect(rig.port());
            open.add(first);
            first.setSoTimeout(20_000);
            first.getOutputStream()
                    .write(PAYMENT.replace("Connection: close\r\n", "").getBytes(StandardCharsets.US_ASCII));
            assertThat(first.getInputStream().read()).isEqualTo('H');
            for (int i = 1; i < 60; i++) {
                open.add(RawHttp.connect(rig.port()));
            }
            assertThat(turnedAway.await(20, TimeUnit.SECONDS)).isTrue();
            first.getOutputStream().write(PAYMENT.getBytes(StandardCharsets.US_ASCII));
            assertThat(RawHttp.read(first)).contains("HTTP/1.1 201");
            assertThat(rig.gateway.traffic().count(Traffic.Count.TURNED_AWAY)).isEqualTo(20);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
