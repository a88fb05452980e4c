// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Without its body a request could be taken for a retry of another, so one that somebody in front has read is an error. */
@ParameterizedClass
@EnumSource(Container.class)
class ReadInFrontTest extends Service {

    private static final String FORM = "application/x-www-form-urlencoded";

    private final Filter reading = before(request -> request.getInputStream().readAllBytes());

    @Test
    void aBodyThatWasReadIsAnErrorAndNotAnEmptyOne() throws Exception {
        front = reading;

        isRefused(pay());
        isRefused(pay().inChunks());
        isRefused(pay().body(new byte[100_000]).inChunks());
    }

    @Test
    void aBodyThatWasReadAsCharactersIsAnError() throws Exception {
        front = before(request -> request.getReader().readLine());

        isRefused(pay());
        isRefused(pay().inChunks());
    }

    @Test
    void aFormWhoseParametersWereAskedForIsAnError() throws Exception {
        front = before(request -> assertThat(request.getParameter("amount")).isNotNull());
        Sent form = Sent.post("/payments").key(key).header("Content-Type", FORM).body("amount=1");

        isRefused(form);
        isRefused(form.inChunks());
        isRefused(form.body("amount=2").inChunks());
    }

    @Test
    void aBodyOfWhichABeginningWasReadIsAnErrorWhereItsLengthIsKnown() throws Exception {
        front = before(
                request -> assertThat(request.getInputStream().readNBytes(3)).hasSize(3));

        isRefused(pay());
    }

    @Test
    void anEmptyFormInChunksIsRefusedWithTheseBecauseContainersHideThatTheyHaveReadOne() throws Exception {
        isRefused(Sent.post("/payments").key(key).header("Content-Type", FORM).inChunks());
    }

    @Test
    void anEmptyBodyIsABodyHoweverItComes() throws Exception {
        assertThat(send(pay().body("")).status()).isEqualTo(201);
        assertThat(send(pay().body("").inChunks()).replayed()).isTrue();
        try (Client.Line line = client().open()) {
            line.write(("POST /payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Idempotency-Key: " + key + "\r\n\r\n")
                    .getBytes(US_ASCII));
            assertThat(line.read().replayed()).isTrue();
        }
        assertThat(effects).hasValue(1);
    }

    @Test
    void overHttp2ABodyThatWasReadIsAnErrorAlsoWithoutALength() throws Exception {
        BodyPublisher unmeasured = BodyPublishers.fromPublisher(BodyPublishers.ofString("{}"));
        assertThat(overHttp2(unmeasured).statusCode()).isEqualTo(201);
        front = reading;

        assertThat(overHttp2(BodyPublishers.ofString("{}")).statusCode()).isEqualTo(500);
        assertThat(overHttp2(unmeasured).statusCode()).isEqualTo(500);
        assertThat(effects).hasValue(0);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void overHttp2ARequestWithoutABodyIsOne() throws Exception {
        assertThat(overHttp2(BodyPublishers.noBody(), "X-Other", "1").statusCode())
                .isEqualTo(201);
        assertThat(overHttp2(BodyPublishers.noBody(), "X-Other", "2").statusCode())
                .isEqualTo(201);
        assertThat(effects).hasValue(0);
    }

    @Test
    void overHttp2AnEmptyBodyWithATypeIsRefusedWhereItCannotBeToldFromOneThatWasRead() throws Exception {
        int expected = container == Container.TOMCAT ? 500 : 201;

        assertThat(overHttp2(BodyPublishers.noBody()).statusCode()).isEqualTo(expected);
    }

    private HttpResponse<String> overHttp2(BodyPublisher body) throws Exception {
        return overHttp2(body, "Content-Type", "application/json");
    }

    private HttpResponse<String> overHttp2(BodyPublisher body, String header, String value) throws Exception {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        URI uri = URI.create("http://127.0.0.1:" + client().port() + "/payments");
        // The first request is still one of HTTP/1.1, which asks for the change.
        http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
        effects.set(0);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Idempotency-Key", key)
                .header(header, value)
                .POST(body);
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return response;
    }

    private void isRefused(Sent sent) throws Exception {
        assertThat(send(sent).status()).isEqualTo(500);
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    private static Filter before(Reader reader) {
        return (request, response, chain) -> {
            if (request instanceof HttpServletRequest http && http.getMethod().equals("POST")) {
                reader.read(http);
            }
            chain.doFilter(request, response);
        };
    }

    private interface Reader {

        void read(HttpServletRequest request) throws IOException;
    }
}
