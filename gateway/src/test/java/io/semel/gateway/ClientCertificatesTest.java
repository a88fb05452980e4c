// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.gateway.traffic.Traffic;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that show a certificate: who they are, and what services are told of it. */
@Timeout(60)
class ClientCertificatesTest {

    @TempDir
    private static Path directory;

    private static Certificates server;
    private static Certificates authority;
    private static Certificates one;
    private static Certificates two;

    @BeforeAll
    static void certificates() throws Exception {
        server = new Certificates(directory, "server");
        authority = Certificates.authority(directory, "authority");
        one = authority.issue(directory, "one-old", "one");
        two = authority.issue(directory, "two", "two");
    }

    private static String tls(String more) {
        return "tls: {certificate: '" + server.certificate + "', key: '" + server.key + "', trust: '"
                + authority.certificate + "'}\n" + more;
    }

    private static String field(Certificates of) throws Exception {
        return ":" + Base64.getEncoder().encodeToString(of.own().getEncoded()) + ":";
    }

    private static HttpResponse<String> pay(
            GatewayFixture rig, HttpClient.Version version, Certificates as, String key, String... headers)
            throws Exception {
        HttpClient client = HttpClient.newBuilder()
                .sslContext(as.trusting(server))
                .version(version)
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + rig.port() + "/payments"))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{}"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void theServiceIsToldTheCertificateThatWasVerifiedAndNoOther(HttpClient.Version version) throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            pay(rig, version, one, "a", "Client-Cert", ":eve:", "Client-Cert-Chain", ":eve:", "Client_Cert", ":eve:");

            Map<String, List<String>> head = rig.origin.heads.get(0);
            assertThat(head.get("Client-cert")).containsExactly(field(one));
            assertThat(head).doesNotContainKeys("Client-cert-chain", "Client_cert");
        }
    }

    @Test
    void theCertificatesBehindItAreToldWhereTheyAreAskedFor() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls("clientCert: chain"))) {
            pay(rig, HttpClient.Version.HTTP_1_1, one, "a", "Client-Cert-Chain", ":eve:");

            Map<String, List<String>> head = rig.origin.heads.get(0);
            assertThat(head.get("Client-cert")).containsExactly(field(one));
            assertThat(head.get("Client-cert-chain")).containsExactly(field(authority));
        }
    }

    @Test
    void nothingIsToldOfCertificatesWhereTheSettingsSaySoAndNothingForgedEither() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls("clientCert: none"))) {
            pay(rig, HttpClient.Version.HTTP_1_1, one, "a", "Client-Cert", ":eve:", "Client-Cert-Chain", ":eve:");

            assertThat(rig.origin.heads.get(0)).doesNotContainKeys("Client-cert", "Client-cert-chain");
        }
    }

    @Test
    void aTrustedProxyWithACertificateIsToldOfByThatAlone() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls("trustedProxies: [127.0.0.1]"))) {
            pay(rig, HttpClient.Version.HTTP_1_1, one, "a", "Client-Cert", ":eve:", "Client-Cert-Chain", ":eve:");

            Map<String, List<String>> head = rig.origin.heads.get(0);
            assertThat(head.get("Client-cert")).containsExactly(field(one));
            assertThat(head).doesNotContainKey("Client-cert-chain");
        }
    }

    @Test
    void aRenewedCertificateIsTheSameCaller() throws Exception {
        Certificates renewed = authority.issue(directory, "one-new", "one");
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            assertThat(pay(rig, HttpClient.Version.HTTP_2, one, "a").body()).isEqualTo("effect 1");
            HttpResponse<String> retry = pay(rig, HttpClient.Version.HTTP_1_1, renewed, "a");
            assertThat(retry.body()).isEqualTo("effect 1");
            assertThat(retry.headers().firstValue("Idempotent-Replayed")).hasValue("true");
            assertThat(pay(rig, HttpClient.Version.HTTP_1_1, two, "a").body()).isEqualTo("effect 2");
            assertThat(pay(rig, HttpClient.Version.HTTP_1_1, renewed, "b").body())
                    .isEqualTo("effect 1");
            assertThat(renewed.own()).isNotEqualTo(one.own());
            assertThat(rig.origin.heads.get(2).get("Client-cert")).containsExactly(field(renewed));
        }
    }

    /** Its connection is gone when the request is sent on, and with it all that TLS knew. */
    @Test
    void whatWasVerifiedIsToldOfClientsThatHaveGoneToo() throws Exception {
        int loops = Runtime.getRuntime().availableProcessors();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(loops + 1);
        List<SSLSocket> open = new ArrayList<>();
        try (GatewayFixture rig = new GatewayFixture(tls("limits: {upstreamConnections: 1, connectTime: 30s}"))) {
            rig.gateway.traffic().tell(count -> {
                if (count == Traffic.Count.FORWARDED) {
                    entered.countDown();
                }
            });
            rig.origin.behaviour = (exchange, body, effect) -> {
                CountingService.await(go);
                CountingService.created(exchange, body, effect);
            };
            for (int i = 0; i <= loops; i++) {
                open.add(begin(rig, "k" + i));
            }
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
            for (SSLSocket each : open) {
                each.close();
            }
            GatewayChecks.await("in time", () -> rig.gateway.connections() == 0);
            go.countDown();
            GatewayChecks.await("in time", () -> rig.origin.heads.size() == loops + 1);

            assertThat(rig.origin.heads).allSatisfy(head -> {
                assertThat(head.get("Client-cert")).containsExactly(field(one));
                assertThat(head.get("X-forwarded-proto")).containsExactly("https");
            });
        }
    }

    private static SSLSocket begin(GatewayFixture rig, String key) throws Exception {
        SSLSocket socket = (SSLSocket) one.trusting(server).getSocketFactory().createSocket("127.0.0.1", rig.port());
        socket.getOutputStream()
                .write(("POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + key
                                + "\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void whoeverSpeaksInTheClearIsToldToUseTls() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(tls(""))) {
            assertThat(RawHttp.send(rig.port(), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"))
                    .startsWith("HTTP/1.1 400")
                    .contains("urn:semel:problem:tls-expected");
            assertThat(rig.origin.effects()).isZero();
        }
    }
}
