// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.gateway.RawHttp;
import io.semel.gateway.RunningProgram;
import io.semel.gateway.admin.api.Console;
import io.semel.gateway.admin.audit.AuditLog;
import io.semel.gateway.config.Address;
import io.semel.gateway.config.AdminSettings;
import io.semel.gateway.config.TlsFiles;
import io.semel.gateway.store.OpenStore;
import io.semel.gateway.store.StoreUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers can make the admin and health ports hold: heads, and no more of them than there is room for. */
@Timeout(60)
class AdminBodiesTest {

    private static final String JSON = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final String TOKEN = "Authorization: Bearer hush\r\n";

    @TempDir
    private static Path directory;

    private final OpenStore open = StoreUrl.open(List.of("memory:"), false);
    private final Console console = new Console(open, new AuditLog(directory.resolve("audit.log")));
    private final AdminServer admin = AdminServer.start(Address.of("127.0.0.1:0"), "hush", console);
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket each : sockets) {
            each.close();
        }
        admin.close();
        open.close();
    }

    private Socket connect(int port, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return socket;
    }

    private String answer(String text) throws IOException {
        return RawHttp.read(connect(admin.address().getPort(), text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 2000000\r\n", "Transfer-Encoding: chunked\r\n"})
    void aTokenIsLookedAtBeforeTheBody(String framing) throws Exception {
        assertThat(answer("POST /api/resolve" + JSON + framing + "\r\n"))
                .startsWith("HTTP/1.1 401")
                .containsIgnoringCase("connection: close");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://evil.example\r\n", "Content-Type: text/plain\r\n"})
    void soIsWhereItComesFromAndWhatItIs(String header) throws Exception {
        String head = "POST /api/purge HTTP/1.1\r\nHost: localhost\r\n" + TOKEN + header;
        assertThat(answer(head + "Content-Length: 2000\r\n\r\n")).containsPattern("^HTTP/1.1 4(03|15)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET /api/status", "GET /health", "GET /health/live", "GET /", "GET /metrics", "POST /api/purge"
            })
    void nobodyIsSentMoreThanItTakes(String line) throws Exception {
        assertThat(answer(line + JSON + TOKEN + "Content-Length: 20000\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void aBodyThatDoesNotSayHowLongItIsMayNotBeLongerEither() throws Exception {
        String part = "1000\r\n" + "x".repeat(4096) + "\r\n";
        assertThat(answer("POST /api/purge" + JSON + TOKEN + "Transfer-Encoding: chunked\r\n\r\n" + part.repeat(5)))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void anAnswerToResolveWithMayBeLarge() throws Exception {
        String body = "{\"scope\":\"s\",\"id\":\"i\",\"body\":\"" + "x".repeat(1 << 20) + "\"}";
        assertThat(answer("POST /api/resolve" + JSON + TOKEN + "Expect: 100-continue\r\nConnection: close\r\n"
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body))
                .startsWith("HTTP/1.1 100")
                .contains("HTTP/1.1 404");
    }

    @Test
    void aPortForHealthTakesNoBody() throws Exception {
        AdminSettings settings = new AdminSettings(Address.of("127.0.0.1:0"), "hush", null, TlsFiles.NONE, null);
        try (AdminServer health = AdminServer.startHealth(Address.of("127.0.0.1:0"), settings, console)) {
            for (String path : List.of("/health", "/health/live", "/api/resolve")) {
                Socket socket = connect(
                        health.address().getPort(), "POST " + path + JSON + TOKEN + "Content-Length: 1\r\n\r\n");
                assertThat(RawHttp.read(socket)).containsPattern("^HTTP/1.1 (404|405|413)");
            }
        }
    }

    @Test
    void theLongestWaitingBodyMakesRoomForOthers() throws Exception {
        String head = "POST /api/resolve" + JSON + TOKEN + "Content-Length: 2000000\r\n\r\n";
        Socket first = connect(admin.address().getPort(), head + "x".repeat(100_000));
        for (int i = 0; i < 5; i++) {
            connect(admin.address().getPort(), head + "x".repeat(1_900_000));
        }
        assertThat(RawHttp.read(first)).isEmpty();
        assertThat(answer("GET /api/status" + JSON + TOKEN + "Connection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void nobodyIsAnsweredWhoDoesNotReadTheAnswerBefore() throws Exception {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(admin.address());
        byte[] many = "GET /health/live HTTP/1.1\r\n\r\n".repeat(1000).getBytes(US_ASCII);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);

        assertThatThrownBy(() -> {
                    while (System.nanoTime() < end) {
                        socket.getOutputStream().write(many);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void aHeadHasNoMoreLinesThanAnybodyNeeds() throws Exception {
        assertThat(answer("GET /health/live" + JSON + "a:b\r\n".repeat(1000))).isEmpty();
    }

    @Test
    void strangersDoNotUseUpTheMemoryOfAGateway() throws Exception {
        Path settings = Files.writeString(
                directory.resolve("semel.yaml"),
                "listen: 127.0.0.1:0\nadmin: 127.0.0.1:0\nadminToken: hush\nstore: memory\nupstream: http://127.0.0.1:9\n");
        try (RunningProgram gateway = RunningProgram.semel(directory, "gateway", "--config", settings.toString())) {
            int port = Integer.parseInt(gateway.await("Admin: .*:(\\d+) ").group(1));
            gateway.await("Ready");
            String most = "POST /api/resolve" + JSON + "Content-Length: 2000000\r\n\r\n" + "x".repeat(1_900_000);
            for (int i = 0; i < 250; i++) {
                sendAll(connect(port, ""), most);
            }
            Socket asking = connect(port, "GET /api/status" + JSON + TOKEN + "Connection: close\r\n\r\n");
            assertThat(RawHttp.read(asking)).startsWith("HTTP/1.1 200");
            assertThat(gateway.said()).noneMatch(line -> line.contains("OutOfMemory"));
        }
    }

    private static void sendAll(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(US_ASCII));
        } catch (IOException e) {
            // Refused before all of it was sent, as it should be.
        }
    }
}
