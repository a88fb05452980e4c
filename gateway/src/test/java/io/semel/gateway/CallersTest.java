// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CallersTest {

    @TempDir
    private Path directory;

    /** A file with the keys of an issuer. */
    static Path keys() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        return Files.writeString(Files.createTempFile("keys", ".json"), new JWKSet(key.toPublicJWK()).toString());
    }

    private static String token(ECKey key, String issuer, String subject, long seconds) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                claims(issuer, subject, seconds));
        token.sign(new ECDSASigner(key));
        return "Bearer " + token.serialize();
    }

    private static JWTClaimsSet claims(String issuer, String subject, long seconds) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject(subject)
                .jwtID(Long.toString(System.nanoTime()))
                .expirationTime(Date.from(Instant.now().plusSeconds(seconds)))
                .build();
    }

    private static void check(GatewayFixture rig, ECKey key, ECKey forged) throws Exception {
        assertThat(rig.pay("a", "{}", "Authorization", token(key, "me", "alice", 600))
                        .body())
                .isEqualTo("effect 1");
        assertThat(rig.pay("a", "{}", "Authorization", token(key, "me", "alice", 900))
                        .body())
                .isEqualTo("effect 1");
        assertThat(rig.pay("a", "{}", "Authorization", token(key, "me", "bob", 600))
                        .body())
                .isEqualTo("effect 2");
        assertThat(rig.pay("a", "{}", "Authorization", token(forged, "me", "alice", 600))
                        .statusCode())
                .isEqualTo(401);
        assertThat(rig.pay("a", "{}", "Authorization", token(key, "other", "alice", 600))
                        .statusCode())
                .isEqualTo(401);
        assertThat(rig.pay("a", "{}", "Authorization", token(key, "me", "alice", -600))
                        .statusCode())
                .isEqualTo(401);
        assertThat(rig.pay("a", "{}", "Authorization", "Bearer " + new PlainJWT(claims("me", "alice", 600)).serialize())
                        .statusCode())
                .isEqualTo(401);
        assertThat(rig.pay("a", "{}", "Authorization", "Basic abc").statusCode())
                .isEqualTo(401);
        assertThat(rig.origin.effects()).isEqualTo(2);
    }

    @Test
    void aVerifiedTokenNamesItsCallerWhateverTokenItIs() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        ECKey forged = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        Path file = Files.writeString(directory.resolve("keys.json"), new JWKSet(key.toPublicJWK()).toString());
        try (GatewayFixture rig = new GatewayFixture("scope: {jwt: {keys: '" + file + "', issuer: me}}")) {
            check(rig, key, forged);
        }
    }

    @Test
    void theKeysOfAnIssuerAreFetchedFromWhereItPublishesThem() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        ECKey forged = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        HttpServer issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext(
                "/keys", exchange -> CountingService.answer(exchange, 200, new JWKSet(key.toPublicJWK()).toString()));
        issuer.start();
        try (GatewayFixture rig = new GatewayFixture(
                "scope: {jwt: {jwks: 'http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys', issuer: me}}")) {
            check(rig, key, forged);
        } finally {
            issuer.stop(0);
        }
    }

    @Test
    void anIssuerThatCannotBeAskedIsNoFaultOfTheCaller() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        try (GatewayFixture rig = new GatewayFixture("scope: {jwt: {jwks: 'http://127.0.0.1:1/keys', issuer: me}}")) {
            HttpResponse<String> refused = rig.pay("a", "{}", "Authorization", token(key, "me", "ada", 600));

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.body()).contains("caller-not-checked").doesNotContain("127.0.0.1");
            assertThat(rig.origin.effects()).isZero();
        }
    }

    /** In a process of its own: how often it is said a minute is counted in each. */
    @Test
    void thatAnIssuerCannotBeAskedIsSaidInTheLog() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        Files.writeString(
                directory.resolve("semel.yaml"), "scope: {jwt: {jwks: 'http://127.0.0.1:1/keys', issuer: me}}");
        try (RunningProgram gateway = RunningProgram.semel(
                directory,
                "gateway",
                "--config",
                "semel.yaml",
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--store",
                "memory:",
                "--upstream",
                "http://127.0.0.1:1")) {
            int port = Integer.parseInt(
                    gateway.await("gateway on http://.*:(\\d+)").group(1));
            gateway.await("Ready");
            String request = "POST / HTTP/1.1\r\nHost: x\r\nIdempotency-Key: a\r\nAuthorization: "
                    + token(key, "me", "ada", 600) + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            assertThat(RawHttp.send(port, request)).startsWith("HTTP/1.1 503");
            gateway.await("refused as caller-not-checked");
        }
    }

    @Test
    void tenantsAndOtherCredentialHeadersTellCallersApart() {
        try (GatewayFixture rig = new GatewayFixture("scope: {credentials: [X-Api-Key], tenantHeader: X-Tenant}")) {
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1", "X-Tenant", "t").body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "2", "X-Tenant", "t").body())
                    .isEqualTo("effect 2");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1", "X-Tenant", "u").body())
                    .isEqualTo("effect 3");
        }
    }

    @Test
    void aReplayIsHandedOutOnlyToWhoeverMayHaveItNow() throws Exception {
        AtomicInteger verdict = new AtomicInteger(204);
        Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
        HttpServer judge = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        judge.createContext("/", exchange -> {
            boolean asked = "Bearer me".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                    && "/payments".equals(exchange.getRequestHeaders().getFirst("X-Original-Uri"));
            connections.add(exchange.getRemoteAddress());
            exchange.sendResponseHeaders(asked ? verdict.get() : 500, -1);
            exchange.close();
        });
        judge.start();
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /payments, authorize: 'http://127.0.0.1:"
                + judge.getAddress().getPort() + "/may'}]")) {
            for (int i = 0; i < 10; i++) {
                assertThat(rig.pay("a", "{}", "Authorization", "Bearer me").body())
                        .isEqualTo("effect 1");
            }
            assertThat(connections).hasSizeLessThan(9);
            verdict.set(403);
            assertThat(rig.pay("a", "{}", "Authorization", "Bearer me").statusCode())
                    .isEqualTo(403);
            verdict.set(401);
            assertThat(rig.pay("a", "{}", "Authorization", "Bearer me").statusCode())
                    .isEqualTo(401);
            verdict.set(500);
            assertThat(rig.pay("a", "{}", "Authorization", "Bearer me").statusCode())
                    .isEqualTo(503);
            judge.stop(0);
            assertThat(rig.pay("a", "{}", "Authorization", "Bearer me").statusCode())
                    .isEqualTo(503);
            assertThat(rig.origin.effects()).isEqualTo(1);
        }
    }
}
