// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A route that requires keys is not passed by spelling its path in another way. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutedPathsTest {

    private GatewayFixture rig;

    @BeforeAll
    void start() {
        rig = new GatewayFixture("routes: [{path: /payments/**, key: required}, {path: /Refunds/**, key: required}]");
    }

    @AfterAll
    void stop() {
        rig.close();
    }

    private String send(String method, String path, String lines) throws IOException {
        return RawHttp.send(
                rig.port(),
                method + " " + path + " HTTP/1.1\r\nHost: shop\r\n" + lines
                        + "Content-Length: 0\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//payments/1",
                "/public/..%2fpayments/1",
                "/public/..%2Fpayments/1",
                "/public/..;/payments/1",
                "/public/..;a=b/payments/1",
                "/public/..\\payments/1",
                "/public/..%5cpayments/1",
                "/public/x/..%2f..%2fpayments",
                "/payments;a/1",
                "/payments;a",
                "/payments%2f1",
                "/payments%3Ba/1",
                "/.%2fpayments/1",
                "/public/%252e%252e%252fpayments",
                "/;a/payments/1",
                "/\\payments/1",
                "/Payments/1",
                "/PAYMENTS",
                "/refunds/1",
                "/payments.json",
                "/payments.",
                "/payments..",
                "/payments%20",
                "/payments%09/1",
                "/payments%00.png",
                "/payments%3fa",
                "/payments%3Fx/../y",
                "/payments%23a",
                "/payments%2523a",
                "/public/..%20/payments/1"
            })
    void aPathThatAServiceMightTakeForOneWithKeysIsRefused(String path) throws Exception {
        int before = rig.origin.effects();
        assertThat(send("POST", path, "")).startsWith("HTTP/1.1 400").containsAnyOf("ambiguous-target", "malformed");
        assertThat(rig.origin.effects()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%70ayments/1", "/payments/%31", "/p%61yments/", "/payments/", "/payments"})
    void lettersThatAreEncodedForNoReasonMakeNoDifference(String path) throws Exception {
        int before = rig.origin.effects();
        assertThat(send("POST", path, "")).startsWith("HTTP/1.1 400").contains("missing-key");
        assertThat(rig.origin.effects()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders;v=1/2",
                "/orders//2",
                "/files/A%2FB.pdf",
                "/Orders/",
                "/payments-old/1",
                "/files/payments.json",
                "/orders%20",
                "/orders%3fa"
            })
    void oddPathsThatCanOnlyTakeOneRoutePass(String path) throws Exception {
        assertThat(send("POST", path, "")).startsWith("HTTP/1.1 201");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/payments;a/1", "/x/..;/payments", "/Payments"})
    void whatNoRouteLooksAtPasses(String path) throws Exception {
        assertThat(send("GET", path, "")).startsWith("HTTP/1.1 201");
    }

    @ParameterizedTest
    @ValueSource(strings = {"post", "Post", "pATCH"})
    void methodsAreCaseSensitiveAndOddOnesAreRefused(String method) throws Exception {
        assertThat(send(method, "/payments/1", "")).startsWith("HTTP/1.1 400").contains("ambiguous-target");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-HTTP-Method-Override: POST", "X-HTTP-Method: patch", "X-Method-Override:  Post "})
    void aMethodThatAServiceMightTakeForOneWithKeysIsRefused(String override) throws Exception {
        int before = rig.origin.effects();
        assertThat(send("GET", "/payments/1", override + "\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("ambiguous-target");
        assertThat(rig.origin.effects()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-HTTP-Method-Override: DELETE", "X-Method-Override: GET"})
    void anOverrideThatNoRouteLooksAtPasses(String override) throws Exception {
        assertThat(send("GET", "/payments/1", override + "\r\n")).startsWith("HTTP/1.1 201");
    }

    /** However a path is put together, choosing its route takes neither long nor the whole stack, and leaves nothing behind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/%252e%252e%252f;a\\..;/",
                "..%2f",
                "a/..%2f",
                "%2f..",
                "%252f.%252f",
                ";a/..;/",
                "x.%20/..\\",
                "%2e%2e%2f%00%3f%23"
            })
    void aLongPathFullOfOddThingsIsDecidedQuickly(String part) throws Exception {
        String path = "/" + part.repeat(12_000 / part.length());
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(send("POST", path, "")).startsWith("HTTP/1.1 ").doesNotStartWith("HTTP/1.1 5");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        assertThat(rig.gateway.buffered()).isZero();
    }
}
