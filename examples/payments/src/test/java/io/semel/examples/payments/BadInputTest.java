// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile requests get the documented problem; the handler does not run, and nothing is stored. */
class BadInputTest {

    private static final String BODY = Running.body("bad-input");
    private static Running service;

    @BeforeAll
    static void start() {
        service = Running.start(PaymentsApplication.class, "--spring.datasource.url=jdbc:h2:mem:bad;DB_CLOSE_DELAY=-1");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @AfterEach
    void nothingRanAndNothingIsStored() {
        assertThat(service.count("payment")).isZero();
        assertThat(service.count("outgoing_email")).isZero();
        assertThat(service.count("semel_slot")).isZero();
    }

    private static void assertProblem(Wire.Answer answer, int status, String problem) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.problem()).isEqualTo(problem);
        assertThat(answer.head()).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"\"",
                "\"open",
                "\"a\" b",
                "a b",
                "a,b",
                "\"a\", \"b\"",
                "\"\u00e9\"",
                "\u00e9",
                "'a'",
                "(a)",
                "\"a\\b\"",
                "\"a\";"
            })
    void aMalformedKeyIsRefused(String key) throws IOException {
        assertProblem(
                service.wire().send(Wire.post("/payments", BODY, "Idempotency-Key: " + key)), 400, "malformed-key");
    }

    @Test
    void aKeyThatIsTooLongIsRefused() throws IOException {
        assertProblem(
                service.wire().send(Wire.post("/payments", BODY, "Idempotency-Key: " + "k".repeat(256))),
                400,
                "malformed-key");
    }

    @Test
    void twoKeysAreRefused() throws IOException {
        assertProblem(
                service.wire().send(Wire.post("/payments", BODY, "Idempotency-Key: key-1", "Idempotency-Key: key-1")),
                400,
                "malformed-key");
    }

    @Test
    void aBodyOverTheCapIsRefused() throws IOException {
        String large = "{\"orderId\":\"" + "x".repeat(20_000) + "\",\"amountCents\":1}";
        assertProblem(
                service.wire().send(Wire.post("/payments", large, "Idempotency-Key: key-1")), 413, "body-too-large");
    }

    @Test
    void anUnknownCharsetIsRefused() throws IOException {
        assertProblem(
                service.wire()
                        .send(Wire.post(
                                "/payments",
                                BODY,
                                "Idempotency-Key: key-1",
                                "Content-Type: application/json;charset=utf-42")),
                400,
                "unreadable-body");
    }

    @Test
    void aBodyThatIsNotJsonIsRefused() throws IOException {
        assertProblem(
                service.wire().send(Wire.post("/payments", "{\"orderId\":", "Idempotency-Key: key-1")),
                400,
                "unreadable-body");
    }
}
