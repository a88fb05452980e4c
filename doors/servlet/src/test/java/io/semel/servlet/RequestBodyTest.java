// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.semel.http.BodyComparison;
import io.semel.http.HttpRules;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A body is read once, compared, and handed on as it came. */
@ParameterizedClass
@EnumSource(Container.class)
class RequestBodyTest extends Service {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Test
    void aHandlerReadsTheBodyAsAStream() throws Exception {
        handler = (request, response) -> request.getInputStream().transferTo(response.getOutputStream());

        assertThat(send(pay().body("{\"a\":1}")).text()).isEqualTo("{\"a\":1}");
    }

    @Test
    void aHandlerReadsTheBodyByteByByte() throws Exception {
        handler = (request, response) -> {
            ServletInputStream in = request.getInputStream();
            int available = in.available();
            StringBuilder read = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
            }
            response.getWriter().print(available + " " + read + " " + in.isFinished());
        };

        assertThat(send(pay().body("abc")).text()).isEqualTo("3 abc true");
    }

    @Test
    void aHandlerReadsTheBodyAsCharactersInItsCharset() throws Exception {
        handler = (request, response) -> {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print(request.getReader().readLine());
        };
        Sent plain = Sent.post("/notes").body("größe".getBytes(ISO_8859_1));

        assertThat(send(pay().body("größe")).text()).isEqualTo("größe");
        assertThat(send(plain.key("a").header("Content-Type", "text/plain")).text())
                .isEqualTo("größe");
        assertThat(send(plain.key("b").body("ığ").header("Content-Type", "text/plain;charset=UTF-8"))
                        .text())
                .isEqualTo("ığ");
    }

    @Test
    void aBodyIsReadEitherAsAStreamOrAsCharacters() throws Exception {
        handler = (request, response) -> {
            request.getReader();
            String complaint = "";
            try {
                request.getInputStream();
            } catch (IllegalStateException e) {
                complaint = "refused";
            }
            response.getWriter().print(complaint);
        };

        assertThat(send(pay()).text()).isEqualTo("refused");
    }

    @Test
    void aHandlerReadsTheParametersOfAForm() throws Exception {
        handler = (request, response) -> {
            StringBuilder all = new StringBuilder();
            new TreeMap<>(request.getParameterMap())
                    .forEach((name, values) -> all.append(name).append(Arrays.toString(values)));
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter()
                    .print(all + " " + request.getParameter("a") + " " + request.getParameter("none") + " "
                            + Collections.list(request.getParameterNames()).size());
        };
        Sent form = Sent.post("/payments?a=1&q=x")
                .key(key)
                .header("Content-Type", FORM)
                .body("a=2&b=%C4%B1+%26&&c&=");

        assertThat(send(form).text()).isEqualTo("[]a[1, 2]b[ı &]c[]q[x] 1 null 5");
        assertThat(send(form).replayed()).isTrue();
    }

    @Test
    void aFormThatCannotBeReadIsTheHandlersExceptionAndTheKeyIsFree() throws Exception {
        handler = (request, response) -> request.getParameter("a");

        assertThat(send(Sent.post("/").key(key).header("Content-Type", FORM).body("a=%zz"))
                        .status())
                .isBetween(400, 500);
        assertThat(records()).isZero();
    }

    @Test
    void aHandlerReadsThePartsOfAMultipartForm() throws Exception {
        filter = filter(HttpRules.standard().compareBodies(BodyComparison.multipart()))
                .inMemory(100);
        byte[] file = new byte[50_000];
        new Random(7).nextBytes(file);
        handler = (request, response) -> {
            effects.incrementAndGet();
            Part part = request.getPart("file");
            String same = Arrays.equals(part.getInputStream().readAllBytes(), file) ? "same" : "other";
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter()
                    .print(request.getParts().size() + " " + request.getParameter("note") + " "
                            + part.getSubmittedFileName() + " " + part.getContentType() + " " + part.getSize() + " "
                            + same + " " + request.getPart("none"));
        };

        assertThat(send(multipart("one", file)).text()).isEqualTo("2 ığ a\"b.bin image/png 50000 same null");
        assertThat(send(multipart("two", file)).replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aBrokenMultipartFormIsTheHandlersException() throws Exception {
        handler = (request, response) -> request.getParts();

        assertThat(send(Sent.post("/")
                                .key(key)
                                .header("Content-Type", "multipart/form-data; boundary=x")
                                .body("--x\r\nContent-Disposition: form-data; name=a\r\n\r\nhalf"))
                        .status())
                .isEqualTo(500);
        assertThat(records()).isZero();
    }

    @Test
    void aBodyCanBeReadInEveryWay() throws Exception {
        handler = (request, response) -> {
            ServletInputStream in = request.getInputStream();
            String read = (char) in.read() + new String(in.readNBytes(2), UTF_8);
            int left = in.available();
            String rest = new String(in.readAllBytes(), UTF_8);
            response.getWriter()
                    .print(read + "|" + left + "|" + rest + "|" + in.isFinished() + "|" + in.readAllBytes().length);
        };

        assertThat(send(pay().body("payment")).text()).isEqualTo("pay|4|ment|true|0");
    }

    @Test
    void aLargeBodyIsSpilledAndHandedOnUnchanged() throws Exception {
        filter = filter(HttpRules.standard()).inMemory(1000);
        byte[] body = new byte[3_000_000];
        new Random(5).nextBytes(body);
        handler = (request, response) -> {
            effects.incrementAndGet();
            response.getWriter().print(Arrays.equals(request.getInputStream().readAllBytes(), body));
        };

        assertThat(send(pay().body(body)).text()).isEqualTo("true");
        assertThat(send(pay().body(body).inChunks()).replayed()).isTrue();
        body[2_999_999]++;
        assertThat(send(pay().body(body)).status()).isEqualTo(422);
        assertThat(effects).hasValue(1);
    }

    @Test
    void aBodyOverTheCapIsRefusedWhetherItsLengthIsAnnouncedOrNot() throws Exception {
        filter = filter(HttpRules.standard().largestBody(100));

        Got announced = send(pay().body(new byte[101]));
        Got chunked = send(pay().body(new byte[101]).inChunks());

        assertThat(announced.problem()).isEqualTo("body-too-large");
        assertThat(chunked.problem()).isEqualTo("body-too-large");
        assertThat(chunked.status()).isEqualTo(413);
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void whoAsksBeforeSendingTheBodyIsRefusedBeforeSendingIt() throws Exception {
        try (Client.Line line = client().open()) {
            line.write(Sent.post("/payments")
                    .key("not a key")
                    .header("Expect", "100-continue")
                    .body(new byte[10])
                    .head());

            assertThat(line.readHead().status()).isEqualTo(400);
        }
        try (Client.Line line = client().open()) {
            Sent sent = pay().header("Expect", "100-continue");
            line.write(sent.head());
            assertThat(line.readHead().status()).isEqualTo(100);
            line.write(sent.body());
            assertThat(line.read().status()).isEqualTo(201);
        }
    }

    @Test
    void aHandlerReadsTheBodyWithoutBlocking() throws Exception {
        handler = (request, response) -> {
            AsyncContext async = request.startAsync();
            ServletInputStream in = request.getInputStream();
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    while (in.isReady() && !in.isFinished()) {
                        read.write(in.read());
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    response.getOutputStream().write(read.toByteArray());
                    effects.incrementAndGet();
                    async.complete();
                }

                @Override
                public void onError(Throwable t) {
                    async.complete();
                }
            });
        };

        assertThat(send(pay().body("abc")).text()).isEqualTo("abc");
        assertThat(send(pay().body("abc")).replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void anUnknownCharsetIsRefusedWhereBodiesAreComparedByMeaningAndElseTheHandlersException() throws Exception {
        Sent sent = Sent.post("/payments")
                .key(key)
                .header("Content-Type", "multipart/form-data; charset=klingon")
                .body("{}");
        handler = (request, response) -> request.getReader();
        assertThat(send(sent).status()).isBetween(400, 500);
        assertThat(records()).isZero();

        filter = filter(HttpRules.standard().compareBodies(BodyComparison.multipart()));
        assertThat(send(sent).problem()).isEqualTo("unreadable-body");
        assertThat(records()).isZero();
    }

    @Test
    void withoutAKeyTheBodyIsNotTouched() throws Exception {
        filter = filter(HttpRules.standard().largestBody(1));
        handler = (request, response) -> {
            effects.incrementAndGet();
            response.getWriter()
                    .print(request.getParameter("a") + " " + (request.getAttribute(IdempotencyFilter.ATTEMPT) == null));
        };
        Sent form = Sent.post("/").header("Content-Type", FORM).body("a=1&b=2");

        assertThat(send(form).text()).isEqualTo("1 true");
        assertThat(send(form).text()).isEqualTo("1 true");
        assertThat(effects).hasValue(2);
    }

    private Sent multipart(String boundary, byte[] file) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(
                ("--" + boundary + "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nığ\r\n--" + boundary
                                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\\"b.bin\"\r\n"
                                + "Content-Type: image/png\r\n\r\n")
                        .getBytes(UTF_8));
        body.writeBytes(file);
        body.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
        return Sent.post("/upload")
                .key(key)
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .body(body.toByteArray());
    }
}
