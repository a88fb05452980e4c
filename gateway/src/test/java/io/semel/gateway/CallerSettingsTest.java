// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.gateway.config.yaml.ConfigError;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers never share answers, and are never taken for others, without somebody having said so. */
@Timeout(60)
class CallerSettingsTest {

    private static void assertRefused(HttpResponse<String> response, int status, String type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body()).contains("urn:semel:problem:" + type);
    }

    @ParameterizedTest
    @CsvSource({
        "Cookie, sid=1",
        "X-Api-Key, 1",
        "X_Api_Key, 1",
        "Api-Key, 1",
        "X-Auth-Token, 1",
        "DPoP, proof",
        "Signature-Input, sig1=()"
    })
    void aCredentialThatTheSettingsDoNotNameIsRefused(String header, String value) {
        try (GatewayFixture rig = new GatewayFixture("")) {
            HttpResponse<String> refused = rig.pay("a", "{}", header, value);
            assertRefused(refused, 501, "credential-not-configured");
            assertThat(refused.body()).contains("scope.credentials").contains("scope.ignored");
            assertRefused(
                    rig.pay("a", "{}", header, value, "Authorization", "Bearer me"), 501, "credential-not-configured");
            assertThat(rig.origin.effects()).isZero();
        }
    }

    @Test
    void requestsWithoutAKeyPassWhateverTheyShow() {
        try (GatewayFixture rig = new GatewayFixture("")) {
            var request = rig.to("/payments").header("X-Api-Key", "1").header("Cookie", "sid=1");
            assertThat(rig.send(request.POST(java.net.http.HttpRequest.BodyPublishers.noBody())
                                    .build())
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void whatIsSaidNotToBeACredentialIsIgnored() {
        try (GatewayFixture rig = new GatewayFixture("scope: {ignored: [Cookie]}")) {
            assertThat(rig.pay("a", "{}", "Authorization", "me", "Cookie", "ad=1")
                            .body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "Authorization", "me", "Cookie", "ad=2")
                            .body())
                    .isEqualTo("effect 1");
        }
    }

    @Test
    void oneCookieNamesTheCallerWhateverOthersThereAre() {
        try (GatewayFixture rig = new GatewayFixture("scope: {cookie: sid}")) {
            assertThat(rig.pay("a", "{}", "Cookie", "sid=alice; ad=1").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "Cookie", "ad=2; more=3; sid=alice").body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "Cookie", "sid=bob; ad=1").body()).isEqualTo("effect 2");
            assertRefused(rig.pay("a", "{}", "Cookie", "sid=alice; sid=bob"), 400, "caller-ambiguous");
            assertRefused(rig.pay("a", "{}", "Cookie", "SESSION=alice"), 501, "credential-not-configured");
        }
        try (GatewayFixture rig = new GatewayFixture("scope: {cookie: sid, ignored: [Cookie]}")) {
            assertThat(rig.pay("a", "{}", "Cookie", "ad=1").statusCode()).isEqualTo(201);
        }
    }

    @Test
    void anApiKeyNamesACallerBesideTokensThatAreVerified() throws Exception {
        try (GatewayFixture rig = new GatewayFixture(
                "scope: {credentials: [X-Api-Key], jwt: {keys: '" + CallersTest.keys() + "', issuer: me}}")) {
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "2").body()).isEqualTo("effect 2");
            assertThat(rig.pay("a", "{}", "X-Api-Key", "1").body()).isEqualTo("effect 1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AWS4-HMAC-SHA256 Credential=AKID/20261117/eu/s3/aws4_request, Signature=1",
                "Digest username=\"me\", nc=00000001",
                "DPoP abc",
                "Signature keyId=\"1\"",
                "OAuth oauth_nonce=\"1\"",
                "negotiate YII="
            })
    void anAuthorizationThatIsNeverTheSameTwiceIsRefused(String authorization) {
        try (GatewayFixture rig = new GatewayFixture("")) {
            assertRefused(rig.pay("a", "{}", "Authorization", authorization), 501, "credential-changes");
            assertThat(rig.origin.effects()).isZero();
        }
    }

    @Test
    void aTrustedProxyNamesTheCallerWhateverTheAuthorizationSays() {
        try (GatewayFixture rig = new GatewayFixture(
                "trustedProxies: [127.0.0.0/8]\nscope: {header: X-User, ignored: [Authorization]}")) {
            assertThat(rig.pay("a", "{}", "X-User", "alice", "Authorization", "DPoP 1")
                            .body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-User", "alice", "Authorization", "DPoP 2")
                            .body())
                    .isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-User", "bob", "Authorization", "DPoP 3")
                            .body())
                    .isEqualTo("effect 2");
            assertRefused(rig.pay("a", "{}", "X-User", "alice", "X-User", "bob"), 400, "caller-ambiguous");
        }
    }

    @Test
    void nobodyElseIsBelievedAboutTheCaller() {
        try (GatewayFixture rig =
                new GatewayFixture("trustedProxies: [10.0.0.0/8]\nscope: {header: X-User, anonymous: refuse}")) {
            assertRefused(rig.pay("a", "{}", "X-User", "alice"), 403, "anonymous-refused");
            assertThat(rig.pay("a", "{}", "Authorization", "me").body()).isEqualTo("effect 1");
            assertThat(rig.pay("a", "{}", "X-User", "alice", "Authorization", "me")
                            .body())
                    .isEqualTo("effect 1");
        }
    }

    @Test
    void aHeaderOfAProxyNeedsAProxy() {
        assertThatThrownBy(() -> new GatewayFixture("scope: {header: X-User}"))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("trustedProxies");
        assertThatThrownBy(() -> new GatewayFixture("trustedProxies: [10.0.0.0/33]"))
                .isInstanceOf(ConfigError.class)
                .hasMessageContaining("10.0.0.0/33");
    }

    @Test
    void whetherCallersMayBeAnonymousIsForTheSettingsToSay() {
        try (GatewayFixture rig = new GatewayFixture("")) {
            assertThat(rig.pay("a").statusCode()).isEqualTo(201);
        }
        try (GatewayFixture rig = new GatewayFixture("scope: {anonymous: refuse}")) {
            assertRefused(rig.pay("a"), 403, "anonymous-refused");
            assertThat(rig.origin.effects()).isZero();
        }
    }

    @Test
    void aRetryThroughAnotherHostIsAnotherRequest() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("")) {
            assertThat(post(rig, "eu.shop", "")).contains("201").contains("effect 1");
            assertThat(post(rig, "EU.shop:80", "")).contains("201").contains("effect 1");
            assertThat(post(rig, "us.shop", "")).contains("422");
            assertThat(rig.origin.effects()).isEqualTo(1);
        }
    }

    @Test
    void aHostCanTellTenantsApart() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("scope: {host: true}")) {
            assertThat(post(rig, "eu.shop", "")).contains("effect 1");
            assertThat(post(rig, "us.shop", "")).contains("effect 2");
            assertThat(post(rig, "eu.shop", "")).contains("effect 1");
        }
    }

    @Test
    void aServiceThatIsToldItsOwnHostAnswersAllAlike() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /**, host: upstream}]")) {
            assertThat(post(rig, "eu.shop", "")).contains("effect 1");
            assertThat(post(rig, "us.shop", "")).contains("effect 1");
        }
    }

    @Test
    void anAbsoluteTargetHasToNameTheHost() throws Exception {
        try (GatewayFixture rig = new GatewayFixture("")) {
            String head =
                    "POST http://eu.shop/payments HTTP/1.1\r\nHost: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            assertThat(RawHttp.send(rig.port(), head.formatted("us.shop"))).startsWith("HTTP/1.1 400");
            assertThat(RawHttp.send(rig.port(), head.formatted("eu.shop"))).startsWith("HTTP/1.1 201");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Encoding: gzip",
                "X-HTTP-Method-Override: DELETE",
                "X-Method-Override: PUT",
                "Api-Version: 2"
            })
    void whatChangesTheMeaningOfARequestIsCompared(String line) throws Exception {
        try (GatewayFixture rig = new GatewayFixture("routes: [{path: /**, compareHeaders: [Api-Version]}]")) {
            assertThat(post(rig, "shop", "")).contains("201");
            assertThat(post(rig, "shop", line + "\r\n")).contains("422");
            assertThat(post(rig, "shop", "")).contains("effect 1");
        }
    }

    private static String post(GatewayFixture rig, String host, String lines) throws Exception {
        return RawHttp.send(
                rig.port(),
                "POST /payments HTTP/1.1\r\nHost: " + host + "\r\nIdempotency-Key: a\r\n" + lines
                        + "Content-Length: 2\r\nConnection: close\r\n\r\n{}");
    }
}
