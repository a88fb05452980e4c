// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.CountingService;
import io.semel.gateway.RawHttp;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.file.Overrides;
import io.semel.gateway.config.file.SettingsReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What somebody learns who knows nothing but the ports: that something is there, and nothing about it. */
@Timeout(120)
class StrangersTest {

    private static final String TOKEN = "a-token-that-nobody-guesses";
    private static final String KEY = "a-key-of-somebody-else";

    /** Names and versions of what it is made of, places of files, and what stack traces have in them. */
    private static final Pattern TELLING = Pattern.compile(
            "\\nserver:|x-powered-by|netty|jetty|jackson|rocksdb|0\\.1\\.0|snapshot|[a-z]exception|\\bat io\\.|"
                    + "\\bat java\\.|\\.java:|" + Pattern.quote(TOKEN) + "|" + Pattern.quote(KEY),
            Pattern.CASE_INSENSITIVE);

    private static final List<String> LINES = List.of(
            "GET /",
            "HEAD /",
            "OPTIONS *",
            "OPTIONS /",
            "TRACE /",
            "CONNECT example.com:443",
            "PROPFIND /",
            "get /",
            "POST /",
            "GET /../../etc/passwd",
            "GET /%2e%2e/%2e%2e/etc/passwd",
            "GET /..;/actuator",
            "GET //etc/passwd",
            "GET /.git/config",
            "GET /robots.txt",
            "GET /favicon.ico",
            "GET /metrics",
            "GET /health",
            "GET /health/live",
            "GET /api",
            "GET /api/keys",
            "GET /api/keys/" + KEY,
            "POST /api/keys/resolve",
            "GET /console/",
            "GET /console/..%2f..%2fsemel.yaml",
            "GET /.semel/sessions",
            "POST /.semel/sessions",
            "GET http://127.0.0.1:1/",
            "GET /" + "a".repeat(20_000),
            "GET /?x=%00%ff%22%3Cscript%3E");

    private static final List<String> HEADERS = List.of(
            "Host: x\r\n",
            "",
            "Host: x\r\nHost: y\r\n",
            "Host: x\r\nAuthorization: Bearer wrong\r\n",
            "Host: x\r\nAuthorization: Basic " + "A".repeat(100) + "\r\n",
            "Host: x\r\nIdempotency-Key: " + "k".repeat(300) + "\r\n",
            "Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Host: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n",
            "Host: x\r\nX: " + "h".repeat(20_000) + "\r\n");

    private static final List<String> BYTES = List.of(
            "\r\n\r\n",
            "HELP\r\n\r\n",
            "SSH-2.0-OpenSSH_9.2\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
            "GET / HTTP/0.9\r\n\r\n",
            "GET /\r\n\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense that is no frame, long enough to be read as one",
            "\u0000\u0000\u0000\u0000\r\n\r\n",
            "\u00ff\u00fe\r\n\r\n");

    @TempDir
    private Path directory;

    private final CountingService origin = new CountingService();
    private RunningGateway assembly;

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(
                directory.resolve("semel.yaml"),
                "store: 'rocksdb:" + directory.resolve("data") + "'\nadminToken: " + TOKEN
                        + "\nhealth: 127.0.0.1:0\nsessions: {}\nlimits: {headerTime: 500ms}\n"
                        + "routes: [{path: /down, upstream: 'http://127.0.0.1:1'}]");
        Settings settings =
                SettingsReader.read(file, new Overrides("127.0.0.1:0", "127.0.0.1:0", null, List.of(), origin.url()));
        assembly = RunningGateway.start(settings, false, settings.audit());
        RawHttp.send(
                gateway(),
                "POST /pay HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + KEY
                        + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        // What the service says is its own matter.
        origin.behaviour = (exchange, body, effect) -> CountingService.answer(exchange, 404, "");
    }

    @AfterEach
    void stop() {
        assembly.close();
        origin.close();
    }

    private int gateway() {
        return assembly.gateway().address().getPort();
    }

    private List<Integer> ports() {
        return List.of(
                gateway(),
                assembly.operators().address().getPort(),
                assembly.health().address().getPort());
    }

    @Test
    void nothingIsToldOfVersionsPathsKeysSecretsOrTheInside() throws IOException {
        List<String> requests = new ArrayList<>(BYTES);
        for (String line : LINES) {
            requests.add(line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        }
        for (String headers : HEADERS) {
            requests.add("POST /pay HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n{\"not\":js");
        }
        requests.add(
                "POST /down HTTP/1.1\r\nHost: x\r\nIdempotency-Key: b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        List<String> told = ports().parallelStream()
                .flatMap(port -> requests.stream().map(request -> telling(port, request)))
                .flatMap(Optional::stream)
                .toList();
        assertThat(told).isEmpty();
    }

    private Optional<String> telling(int port, String request) {
        String answer = answer(port, request);
        boolean tells = TELLING.matcher(answer).find() || answer.contains(directory.toString());
        return tells
                ? Optional.of(port + " <- " + request.lines().findFirst().orElse("") + "\n" + answer)
                : Optional.empty();
    }

    /** What has come after two seconds at most: some of it is no request yet, and is waited for. */
    private static String answer(int port, String request) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.getInputStream().transferTo(read);
        } catch (SocketTimeoutException | SocketException e) {
            // What came before it counts.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return read.toString(ISO_8859_1);
    }
}
