// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads and trailers that stop before their end, of clients and of services: what has come of them is held like a body. */
@Timeout(60)
class UnfinishedMessagesTest {

    private static final String LINES = "a:b\r\n".repeat(150);

    private enum Unfinished {
        HEAD("GET / HTTP/1.1\r\nHost: x\r\n" + LINES),
        TRAILERS("POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\nx\r\n0\r\n" + LINES),
        /** It is in no list yet. */
        LINE("GET /" + "x".repeat(15_000));

        private final String text;

        Unfinished(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatHasComeIsCountedUntilItsConnectionIsClosed(Unfinished unfinished) throws Exception {
        try (GatewayFixture rig = new GatewayFixture()) {
            try (Socket socket = send(rig, unfinished.text)) {
                GatewayChecks.await("in time", () -> rig.gateway.buffered() >= 15_000);
                assertThat(socket.isConnected()).isTrue();
            }
            GatewayChecks.await("in time", () -> rig.gateway.buffered() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void itGoesFirstWhenOthersNeedItsRoom(Unfinished unfinished) throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (GatewayFixture rig =
                new GatewayFixture("limits: {bufferBytes: 100KiB, addressShare: 100, headerTime: 60s}")) {
            while (rig.gateway.buffered() < 70_000) {
                long before = rig.gateway.buffered();
                slow.add(send(rig, unfinished.text));
                GatewayChecks.await("in time", () -> rig.gateway.buffered() >= before + 15_000);
            }
            GatewayChecks.await("in time", () -> isPaid(rig));

            Socket evicted = first(slow);
            evicted.setSoTimeout(20_000);
            assertThat(RawHttp.read(evicted)).startsWith("HTTP/1.1 408");
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    /** In the first second there is nobody who is slow. */
    private static boolean isPaid(GatewayFixture rig) {
        try {
            return rig.pay("a", "x".repeat(35_000)).statusCode() == 201;
        } catch (UncheckedIOException e) {
            // Let go, since there was no room either for what it had sent ahead.
            return false;
        }
    }

    private static Socket first(List<Socket> all) throws IOException {
        while (true) {
            for (Socket each : all) {
                if (each.getInputStream().available() > 0) {
                    return each;
                }
            }
        }
    }

    @Test
    void manyOfOneAddressFindNoRoomBeyondItsShare() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 100KiB}");
                Socket first = send(rig, Unfinished.HEAD.text)) {
            GatewayChecks.await("in time", () -> rig.gateway.buffered() >= 15_000);
            try (Socket second = send(rig, Unfinished.HEAD.text)) {
                second.setSoTimeout(20_000);
                assertThat(RawHttp.read(second)).startsWith("HTTP/1.1 429");
            }
            assertThat(first.isConnected()).isTrue();
        }
    }

    @Test
    void theTrailersOfABodyThatMayBeAsLargeAsThereIsRoomAreNoSecondOne() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("limits: {bufferBytes: 300KiB}");
                Socket socket = RawHttp.connect(rig.port())) {
            socket.setSoTimeout(20_000);
            String body = "x".repeat(0x30000);
            socket.getOutputStream()
                    .write(bytes("POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nConnection: close\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n30000\r\n" + body + "\r\n0\r\n" + LINES));
            GatewayChecks.await("in time", () -> rig.gateway.buffered() >= body.length() + 15_000);
            socket.getOutputStream().write(bytes("\r\n"));

            assertThat(RawHttp.read(socket)).startsWith("HTTP/1.1 201");
            assertThat(rig.origin.bodies.get(0)).hasSize(body.length());
        }
    }

    @Test
    void trailersHaveAtMostTwoHundredLines() throws Exception {
        try (GatewayFixture rig = new GatewayFixture()) {
            assertThat(RawHttp.send(rig.port(), Unfinished.TRAILERS.text + LINES))
                    .startsWith("HTTP/1.1 431");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n1\r\nx\r\n0\r\n"})
    void whatAServiceDoesNotBringToItsEndIsCountedToo(String then) throws Exception {
        String head = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n";
        try (ScriptedService service = new ScriptedService(head + (then.isEmpty() ? LINES : then + LINES));
                GatewayFixture rig = new GatewayFixture(service.route());
                Socket socket =
                        send(rig, "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nContent-Length: 0\r\n\r\n")) {
            GatewayChecks.await("in time", () -> rig.gateway.buffered() >= 25_000);
            assertThat(socket.isConnected()).isTrue();
        }
    }

    private static Socket send(GatewayFixture rig, String text) throws IOException {
        Socket socket = RawHttp.connect(rig.port());
        socket.getOutputStream().write(bytes(text));
        return socket;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
