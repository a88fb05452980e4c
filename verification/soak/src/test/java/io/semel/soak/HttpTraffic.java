// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that pay, retry, hang up in the middle, and send what is refused. */
final class HttpTraffic implements Soak.Traffic {

    private final int port;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong next = new AtomicLong();

    HttpTraffic(int port) {
        this.port = port;
    }

    @Override
    public void once(Random random) throws Exception {
        String key = "key-" + next.incrementAndGet();
        switch (random.nextInt(10)) {
            case 0 -> hangUp(key, random.nextInt(3));
            case 1 -> assertEquals(400, pay("", "{}").statusCode());
            case 2 -> {
                pay(key, "{\"amount\":1}");
                assertEquals(422, pay(key, "{\"amount\":2}").statusCode());
            }
            default -> {
                HttpResponse<String> first = pay(key, "{\"amount\":1}");
                HttpResponse<String> again = pay(key, "{\"amount\":1}");
                assertEquals(201, first.statusCode(), first::body);
                assertTrue(again.body().equals(first.body()) || again.statusCode() == 410, again::body);
            }
        }
    }

    private HttpResponse<String> pay(String key, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** In the head, in the body, or before the answer. */
    private void hangUp(String key, int where) throws IOException {
        String head = "POST /payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 12\r\nIdempotency-Key: " + key + "\r\n";
        String sent = switch (where) {
            case 0 -> head;
            case 1 -> head + "\r\n{\"amo";
            default -> head + "\r\n{\"amount\":1}";
        };
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
