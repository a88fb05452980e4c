// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.semel.http.HttpRules;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A body is read once, compared, and handed on as it came. */
class BodyTest extends Service {

    private static final String FORM = "application/x-www-form-urlencoded";

    private static Mono<String> text(ServerWebExchange exchange) {
        return DataBufferUtils.join(exchange.getRequest().getBody())
                .map(buffer -> {
                    String text = buffer.toString(UTF_8);
                    DataBufferUtils.release(buffer);
                    return text;
                })
                .defaultIfEmpty("");
    }

    @Test
    void aHandlerReadsTheBodyAsOftenAsItLikes() throws Exception {
        handler = exchange -> text(exchange)
                .zipWith(Mono.defer(() -> text(exchange)))
                .flatMap(both -> write(exchange, both.getT1() + both.getT2()));
        String large = "ğ".repeat(200_000);

        assertThat(send(pay().POST(BodyPublishers.ofString("ığ"))).body()).isEqualTo("ığığ");
        assertThat(send(post().header("Idempotency-Key", "large").POST(inChunks(large)))
                        .body())
                .isEqualTo(large + large);
    }

    @Test
    void aHandlerReadsFormsAndParts() throws Exception {
        handler = exchange ->
                exchange.getFormData().flatMap(form -> write(exchange, form.getFirst("a") + effects.incrementAndGet()));
        HttpRequest.Builder form = pay().setHeader("Content-Type", FORM).POST(BodyPublishers.ofString("a=%C4%9F&b=2"));
        assertThat(send(form).body()).isEqualTo("ğ1");
        assertThat(isReplayed(send(form))).isTrue();
        assertThat(send(form.POST(BodyPublishers.ofString("a=%C4%9F&b=3"))).statusCode())
                .isEqualTo(422);

        handler = exchange -> exchange.getMultipartData()
                .flatMap(parts -> write(exchange, ((FormFieldPart) parts.getFirst("a")).value()));
        assertThat(send(post().header("Idempotency-Key", "parts")
                                .setHeader("Content-Type", "multipart/form-data; boundary=x")
                                .POST(BodyPublishers.ofString(
                                        "--x\r\nContent-Disposition: form-data; name=a\r\n\r\none\r\n--x--\r\n")))
                        .body())
                .isEqualTo("one");
    }

    @Test
    void aBodyThatAFilterInFrontHasReadIsAnErrorAndNotAnEmptyOne() throws Exception {
        front = (exchange, chain) -> text(exchange).then(chain.filter(exchange));
        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(send(pay().POST(inChunks("{}"))).statusCode()).isEqualTo(500);

        front = (exchange, chain) -> exchange.getFormData().then(chain.filter(exchange));
        HttpRequest.Builder form = pay().setHeader("Content-Type", FORM);
        assertThat(send(form.POST(BodyPublishers.ofString("a=1"))).statusCode()).isEqualTo(500);
        assertThat(send(form.POST(inChunks("a=1"))).statusCode()).isEqualTo(500);
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void anEmptyBodyThatSaysSoIsOne() throws Exception {
        assertThat(send(pay().POST(BodyPublishers.noBody())).statusCode()).isEqualTo(201);
        assertThat(isReplayed(send(pay().POST(BodyPublishers.ofString(""))))).isTrue();
        assertThat(send(pay().POST(inChunks(""))).statusCode()).isEqualTo(500);
    }

    @Test
    void aBodyOverTheCapIsRefusedWhetherItsLengthIsAnnouncedOrNot() throws Exception {
        filter = filter(HttpRules.standard().largestBody(100));
        String large = "x".repeat(200_000);

        assertThat(problem(send(pay().POST(BodyPublishers.ofString("x".repeat(101))))))
                .isEqualTo("body-too-large");
        assertThat(problem(send(pay().POST(inChunks("x".repeat(101)))))).isEqualTo("body-too-large");
        assertThat(problem(send(pay().POST(inChunks(large))))).isEqualTo("body-too-large");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    /** A server that has answered before the body was there may never read on: the next request would wait forever. */
    @Test
    void afterARefusalItsConnectionServesTheNextRequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        front = (exchange, chain) -> {
            entered.countDown();
            return chain.filter(exchange);
        };
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 20; i++) {
                out.write(head("a b", 2));
                entered.await();
                out.write("{}".getBytes(UTF_8));
                assertThat(answer(socket)).startsWith("HTTP/1.1 400 ");
            }
            out.write(head(key, 2));
            out.write("{}".getBytes(UTF_8));
            assertThat(answer(socket)).startsWith("HTTP/1.1 201 ");
        }
    }

    /** What is refused is read off, but not without end: then the connection is closed. */
    @Test
    void whoNeverEndsIsCutOff() throws Exception {
        filter = filter(HttpRules.standard().largestBody(100));
        byte[] much = new byte[1 << 16];
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /payments HTTP/1.1\r\nHost: here\r\nIdempotency-Key: " + key
                            + "\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n")
                    .getBytes(UTF_8));

            assertThatIOException().isThrownBy(() -> {
                for (int i = 0; i < 1 << 10; i++) {
                    out.write(much);
                }
            });
        }
        assertThat(effects).hasValue(0);
    }

    private static byte[] head(String key, int length) {
        return ("POST /payments HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nIdempotency-Key: " + key
                        + "\r\nContent-Length: " + length + "\r\n\r\n")
                .getBytes(UTF_8);
    }

    /** One answer, head and body; a server that never gives it is given half a minute. */
    private static String answer(Socket socket) throws Exception {
        socket.setSoTimeout(30_000);
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).isNotNegative();
            head.append((char) next);
        }
        Matcher length = Pattern.compile("content-length: (\\d+)", Pattern.CASE_INSENSITIVE)
                .matcher(head);
        assertThat(length.find()).isTrue();
        return head + new String(in.readNBytes(Integer.parseInt(length.group(1))), UTF_8);
    }

    @Test
    void withoutAKeyTheBodyIsNotTouched() throws Exception {
        filter = filter(HttpRules.standard().largestBody(1));
        handler = exchange -> text(exchange).flatMap(read -> write(exchange, read));

        assertThat(send(post().POST(BodyPublishers.ofString("much"))).body()).isEqualTo("much");
    }
}
