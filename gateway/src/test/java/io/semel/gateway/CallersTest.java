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

    private static void check(Rig rig, ECKey key, ECKey forged) throws Exception {
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
        try (Rig rig = new Rig("scope: {jwt: {keys: '" + file + "', issuer: me}}")) {
            check(rig, key, forged);
        }
    }

    @Test
    void theKeysOfAnIssuerAreFetchedFromWhereItPublishesThem() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        ECKey forged = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
        HttpServer issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext(
                "/keys", exchange -> Origin.answer(exchange, 200, new JWKSet(key.toPublicJWK()).toString()));
        issuer.start();
        try (Rig rig = new Rig(
                "scope: {jwt: {jwks: 'http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys', issuer: me}}")) {
            check(rig, key, forged);
        } finally {
            issuer.stop(0);
        }
    }

    @Test
    void tenantsAndOtherCredentialHeadersTellCallersApart() {
        try (Rig rig = new Rig("scope: {credentials: [X-Api-Key], tenantHeader: X-Tenant}")) {
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1", "X-Tenant", "t").body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "2", "X-Tenant", "t").body())
                    .isEqualTo("effect 2");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1", "X-Tenant", "u").body())
                    .isEqualTo("effect 3");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1", "X-Tenant", "t", "Authorization", "x")
                            .body())
                    .isEqualTo("effect 1");
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
        try (Rig rig = new Rig("routes: [{path: /payments, authorize: 'http://127.0.0.1:"
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
