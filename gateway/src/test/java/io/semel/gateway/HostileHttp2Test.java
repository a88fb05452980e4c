// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static io.semel.gateway.Http2Client.END_HEADERS;
import static io.semel.gateway.Http2Client.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 that would become something else as HTTP/1, which is what upstreams are spoken to in, and HTTP/2 that is only to wear us out. */
@Timeout(60)
class HostileHttp2Test {

    private static final GatewayFixture RIG = new GatewayFixture();
    private static final Logger ROOT = Logger.getLogger("");
    private static final Warnings LOG = new Warnings();

    @AfterEach
    void itStillServes() throws Exception {
        try (Http2Client connection = new Http2Client(RIG.port())) {
            connection.send(Http2Client.HEADERS, END_HEADERS | END_STREAM, 1, post("/payments"));
            assertThat(connection.verdict()).isEqualTo("201");
        }
        RIG.origin.forget();
    }

    @BeforeAll
    static void listen() {
        ROOT.addHandler(LOG);
    }

    /** Whoever can make us write can fill a disk. */
    @AfterAll
    static void stop() {
        RIG.close();
        ROOT.removeHandler(LOG);
        assertThat(LOG.warnings).isEmpty();
    }

    private static final class Warnings extends Handler {

        private final List<String> warnings = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord message) {
            // What is summed up at the end of a minute may be about other tests; the first of each kind is written at
            // once.
            boolean summary = message.getMessage().endsWith("more in the last minute)");
            if (message.getLevel().intValue() >= Level.WARNING.intValue() && !summary) {
                warnings.add(message.getLoggerName() + ": " + message.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static byte[] post(String path, String... more) {
        String[] fields = {
            ":method", "POST", ":scheme", "http", ":path", path, ":authority", "x", "idempotency-key", "k"
        };
        return Http2Client.block(
                Stream.concat(Stream.of(fields), Stream.of(more)).toArray(String[]::new));
    }

    static Stream<byte[]> wrong() {
        return Stream.of(
                post("/", "x", "a\r\nTransfer-Encoding: chunked"),
                post("/", "x", "a\nb"),
                post("/", "x", "a\0b"),
                post("/", "x\r\nhost", "evil"),
                post("/", "X-Upper", "a"),
                post("/", "x y", "a"),
                post("/", "", "a"),
                post("/", "transfer-encoding", "chunked"),
                post("/", "connection", "close"),
                post("/", "content-length", "-1"),
                post("/", "content-length", "0, 0"),
                post("/", "content-length", "5"),
                post("/", ":path", "/late"),
                post("/ HTTP/1.1\r\nHost: evil\r\n\r\nGET /"),
                post("/a b"),
                post("/../etc"),
                post(""),
                post("nowhere"),
                Http2Client.block(
                        ":method", "POST / HTTP/1.1\r\nX:", ":scheme", "http", ":path", "/", ":authority", "x"),
                Http2Client.block(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "x\r\nX: y"),
                Http2Client.block(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "x y"),
                Http2Client.block(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "x", "host", "y"),
                Http2Client.block(":method", "TRACE", ":scheme", "http", ":path", "/", ":authority", "x"),
                new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff});
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatWouldBeSomethingElseToTheServiceIsRefused(byte[] head) throws Exception {
        try (Http2Client connection = new Http2Client(RIG.port())) {
            connection.send(Http2Client.HEADERS, END_HEADERS | END_STREAM, 1, head);

            assertThat(connection.verdict()).matches("refused|4\\d\\d|501");
        }
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aBodyOfAnotherLengthIsRefused() throws Exception {
        try (Http2Client connection = new Http2Client(RIG.port())) {
            connection.send(Http2Client.HEADERS, END_HEADERS, 1, post("/", "content-length", "9"));
            connection.send(Http2Client.DATA, END_STREAM, 1, "{}".getBytes(StandardCharsets.US_ASCII));

            assertThat(connection.verdict()).matches("refused|4\\d\\d");
        }
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void aHeadThatNeverEndsIsRefused() throws Exception {
        byte[] more = Http2Client.block("x", "a".repeat(100));
        try (Http2Client connection = new Http2Client(RIG.port())) {
            connection.send(Http2Client.HEADERS, END_STREAM, 1, post("/"));
            for (int i = 0; i < 10_000; i++) {
                connection.send(Http2Client.CONTINUATION, 0, 1, more);
            }
            assertThat(connection.verdict()).matches("refused|4\\d\\d");
        } catch (SocketException e) {
            // It did not take all of them, as it should not.
            assertThat(RIG.gateway.isReady()).isTrue();
        }
        assertThat(RIG.origin.heads).isEmpty();
    }

    @Test
    void whoeverSendsLittleButPingsIsSentAway() throws IOException {
        try (Http2Client connection = new Http2Client(RIG.port())) {
            for (int i = 0; i < 5000; i++) {
                connection.send(6, 0, 0, new byte[8]);
            }
            byte[] last = connection.frame(Http2Client.GO_AWAY);

            assertThat(last[7]).isEqualTo((byte) 0xb);
        } catch (SocketException e) {
            // Ended before all were sent.
            assertThat(RIG.gateway.isReady()).isTrue();
        }
    }

    @Test
    void requestsThatAreTakenBackAtOnceEndTheConnection() throws IOException {
        byte[] cancel = {0, 0, 0, 8};
        try (Http2Client connection = new Http2Client(RIG.port())) {
            for (int stream = 1; stream < 4000; stream += 2) {
                connection.send(Http2Client.HEADERS, END_HEADERS, stream, post("/"));
                connection.send(Http2Client.RST_STREAM, 0, stream, cancel);
            }
            assertThat(connection.frame(Http2Client.GO_AWAY)).isNotEmpty();
        } catch (SocketException e) {
            // Ended before all were sent.
            assertThat(RIG.gateway.isReady()).isTrue();
        }
        assertThat(RIG.origin.heads).isEmpty();
    }
}
