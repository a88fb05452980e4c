// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.gateway.config.Address;
import io.semel.gateway.config.PathPattern;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.SessionSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.Upstream;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @TempDir
    private Path directory;

    private Settings read(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("semel.yaml"), yaml);
        return SettingsReader.read(file, new Overrides(null, null, null, List.of(), null));
    }

    @Test
    void everySettingIsRead() throws IOException {
        Settings settings = read("""
            listen: 0.0.0.0:80
            admin: 9001
            adminToken: secret
            store: [redis://cache:6379, postgresql://u:p@db/semel]
            upstream: http://127.0.0.1:9000
            namespace: shop
            retention: 2d
            lease: 10s
            limits: {headerBytes: 32KiB, bufferBytes: 64MiB, connections: 10, streams: 5, headerTime: 1s, bodyTime: 2s,
              idleTime: 3s, connectTime: 4s, answerTime: 5s, keepTime: 6s, drainTime: 7s, storeThreads: 8}
            scope: {credentials: [Authorization, X-Api-Key], tenantHeader: X-Tenant}
            sessions: {lease: 2m, window: 8, cap: 5, mode: strict}
            routes:
              - name: pay
                path: /payments/{id}/*
                methods: [POST, DELETE]
                upstream: https://pay.example:8443
                host: upstream
                key: required
                header: [Idempotency-Key, X-Request-Id]
                dialect: raw
                keyCharacters: 64
                compare: json
                retention: 7d
                remembrance: 30d
                lease: 5s
                serverErrors: hold
                statuses: {404: forget, 500: record}
                replayHeaders: [X-Receipt]
                waitWhenBusy: 250ms
                whenSilent: rerun
                failOpen: true
                bodyBytes: 1MiB
                answerBytes: 10KiB
                advertiseRetention: true
                authorize: http://127.0.0.1:9000/may
            """);

        assertThat(settings.listen()).isEqualTo(new Address("0.0.0.0", 80));
        assertThat(settings.admin().address()).isEqualTo(new Address("127.0.0.1", 9001));
        assertThat(settings.stores()).containsExactly("redis://cache:6379", "postgresql://u:p@db/semel");
        assertThat(settings.limits().headerBytes()).isEqualTo(32 << 10);
        assertThat(settings.limits().drainTime()).isEqualTo(Duration.ofSeconds(7));
        assertThat(settings.sessions())
                .isEqualTo(new SessionSettings(Duration.ofMinutes(2), 8, 5, 5, Session.Mode.STRICT));
        assertThat(settings.scope().credentials()).containsExactly("Authorization", "X-Api-Key");
        assertThat(settings.routes()).hasSize(2);
        RouteSettings pay = settings.routes().get(0);
        assertThat(pay.path().matches("/payments/17/refund")).isTrue();
        assertThat(pay.path().matches("/payments/17/refund/x")).isFalse();
        assertThat(pay.upstream()).isEqualTo(new Upstream(true, "pay.example", 8443));
        assertThat(pay.operation().lease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(pay.operation().retention().retention()).isEqualTo(Duration.ofDays(7));
        assertThat(pay.patience()).isEqualTo(Duration.ofMillis(250));
        assertThat(pay.upstreamHost()).isTrue();
        RouteSettings others = settings.routes().get(1);
        assertThat(others.path().matches("/anything/at/all")).isTrue();
        assertThat(others.operation().retention().retention()).isEqualTo(Duration.ofDays(2));
        assertThat(others.operation().lease()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void everythingThatIsWrongIsToldInOneRun() {
        assertThatThrownBy(() -> read("""
            retenton: 2d
            lease: soon
            upstream: nowhere
            limits: {connections: many}
            tls: {certificate: a.pem}
            routes:
              - path: /a
                key: perhaps
                waitWhenBusy: long
              - methods: [POST]
            """))
                .isInstanceOf(ConfigError.class)
                .hasMessageContainingAll(
                        "8 settings",
                        "line 3: upstream",
                        "line 1: there is no field 'retenton'",
                        "line 2: lease",
                        "line 4: limits.connections",
                        "tls.key",
                        "routes[0].key",
                        "routes[0].waitWhenBusy",
                        "routes[1].path");
    }

    @Test
    void everythingThatIsWrongWithOneRouteIsToldInOneRun() {
        assertThatThrownBy(() -> read("""
            routes:
              - lease: 500d
                whenSilent: retry
                key: requird
                compare: jsn
                methods: [GET]
                authorize: nowhere
                webhook: strip
                answerBytes: many
                replayHeaders: {}
                statuses: {404: forgit, 503: record}
              - 17
              - path: /b
                bodyBytes: many
            """))
                .isInstanceOf(ConfigError.class)
                .hasMessageContainingAll(
                        "16 settings",
                        "routes[0].path is missing",
                        "routes[0].upstream is missing",
                        "line 2: routes[0].lease",
                        "line 3: routes[0].whenSilent",
                        "line 4: routes[0].key",
                        "line 5: routes[0].compare",
                        "line 6: routes[0].methods",
                        "line 7: routes[0].authorize",
                        "line 8: routes[0].webhook",
                        "line 9: routes[0].answerBytes",
                        "line 10: routes[0].replayHeaders",
                        "'forgit' is none of",
                        "A 503 is about the moment",
                        "line 12: routes[1] has to be fields",
                        "routes[2].upstream is missing",
                        "line 14: routes[2].bodyBytes");
    }

    @Test
    void webhooksAreRememberedForSevenDaysUnlessToldOtherwise() throws IOException {
        Settings settings = read("""
            upstream: http://127.0.0.1:9000
            retention: 1h
            routes:
              - {path: /a, webhook: stripe}
              - {path: /b, webhook: github, retention: 30d}
            """);

        assertThat(settings.routes())
                .extracting(route -> route.operation().retention().retention())
                .containsExactly(Duration.ofDays(7), Duration.ofDays(30), Duration.ofHours(1));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("upstram: http://x", "line 1: there is no field 'upstram'. Did you mean 'upstream'?"),
                Arguments.of(
                        "upstream: http://x\nroutes:\n  - path: /a\n    lese: 5s",
                        "line 4: there is no field 'routes[0].lese'. Did you mean 'lease'?"),
                Arguments.of(
                        "upstream: http://x\nlimits: {zebra: 1}",
                        "there is no field 'limits.zebra'. Known are: headerBytes"),
                Arguments.of(
                        "upstream: http://x\nlease: 5 s",
                        "line 2: lease: '5 s' is not a duration; write 250ms, 30s, 5m, 24h or 7d."),
                Arguments.of("upstream: http://x\nlease: 5ms", "A lease is from"),
                Arguments.of("upstream: http://x\nroutes: [{path: pay}]", "does not begin with a slash"),
                Arguments.of("upstream: http://x\nroutes: [{path: /a, key: requird}]", "Did you mean 'required'?"),
                Arguments.of(
                        "upstream: http://x\nroutes: [{path: /a, methods: [GET]}]",
                        "GET, HEAD, OPTIONS, TRACE and CONNECT never take part"),
                Arguments.of(
                        "upstream: http://x\nroutes: [{path: /a, statuses: {503: record}}]",
                        "A 503 is about the moment"),
                Arguments.of(
                        "upstream: http://x\nroutes: [{path: /a, whenSilent: maybe}]",
                        "'maybe' is neither refuse nor rerun, nor a URL to ask"),
                Arguments.of("upstream: http://x\naccessLog: {format: xml}", "'xml' is not one of them"),
                Arguments.of("upstream: http://x\naccessLog: {fileBytes: 0}", "fileBytes and files are at least 1"),
                Arguments.of("upstream: http://x\nrequestId: 'a b'", "'a b' is not the name of a header"),
                Arguments.of("upstream: http://x\nroutes: [{path: /a, webhook: strip}]", "is not a sender of webhooks"),
                Arguments.of("upstream: http://x\nroutes: {path: /a}", "routes has to be a list"),
                Arguments.of("upstream: http://x\nlisten: [a]", "listen has to be a value"),
                Arguments.of("upstream: http://x\nupstream: http://y", "upstream"),
                Arguments.of("upstream: ftp://x", "'ftp://x' is not an upstream; write http://host:port"),
                Arguments.of("upstream: http://x/path", "without a path"),
                Arguments.of("listen: nowhere\nupstream: http://x", "'nowhere' is not an address"),
                Arguments.of("upstream: http://x\nscope: {jwt: {jwks: http://k}}", "scope.jwt.issuer is missing"),
                Arguments.of("upstream: http://x\ntls: {certificate: a}", "tls.key and certificate belong together"),
                Arguments.of("upstream: http://x\nsessions: {window: 0}", "sessions: A window has 1 to"),
                Arguments.of("upstream: http://x\nsessions: {cap: 0}", "cap is at least 1"),
                Arguments.of(
                        "upstream: http://x\nlimits: {storeThreads: 0}", "limits: storeThreads is at least 1, not 0."),
                Arguments.of(
                        "upstream: http://x\nlimits: {connectTime: 30d}", "limits: connectTime is from 1ms to 24h."),
                Arguments.of("upstream: http://x\nlimits: {answerTime: 0s}", "limits: answerTime is from 1ms to 24h."),
                Arguments.of(
                        "upstream: http://x\nlimits: {headerBytes: 3GiB}",
                        "line 2: limits.headerBytes: '3GiB' is too much; at most 2147483647 is possible."),
                Arguments.of("upstream: http://x\nlimits: {bufferBytes: 999999999999999GiB}", "is too much"),
                Arguments.of("routes: [{path: /a}]", "routes[0].upstream is missing"),
                Arguments.of("listen: 80", "There is no upstream for paths that no route takes"),
                Arguments.of("upstream: \"http://x", "is not YAML"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void whatIsWrongIsToldWithItsPlaceAndWhatToWrite(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigError.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "upstream: http://me:hush@x",
                "upstream: 'http://me:hush@x:y'",
                "upstream: 'http://me:hu sh@x'",
                "upstream: http://x\nroutes: [{path: /a, whenSilent: 'ftp://me:hush@x'}]",
                "upstream: http://x\nroutes: [{path: /a, authorize: 'http://me:hush@x/ a'}]",
                "upstream: http://x\nadminToken: \"hush",
                "adminToken: hush: hush",
                "store: postgresql://me:hush@db/x: y",
                "seal: {keys: {a: hush}}\nupstream: http://x"
            })
    void whatIsWrongIsToldWithoutItsSecrets(String yaml) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigError.class).satisfies(e -> {
            for (Throwable each = e; each != null; each = each.getCause()) {
                assertThat(each.getMessage()).doesNotContain("hush", "hu sh");
            }
        });
    }

    @Test
    void aColonThatNeedsQuotesIsSaid() {
        assertThatThrownBy(() -> read("upstream: http://x\nstore: memory:"))
                .hasMessageContaining("is not YAML in line 2")
                .hasMessageContaining("needs quotes, such as store: 'memory:'");
    }

    @ParameterizedTest
    @CsvSource({
        "/**, /, true",
        "/**, /a/b, true",
        "/a/**, /a, true",
        "/a/**, /a/, true",
        "/a/**, /a/b/c, true",
        "/a/**, /ab, false",
        "/a/*/c, /a/b/c, true",
        "/a/*/c, /a/b/b/c, false",
        "/a/**/z, /a/z, true",
        "/a/**/z, /a/b/c/z, true",
        "/a.b, /axb, false",
        "/v1/{order}, /v1/17, true",
    })
    void aPatternTakesThesePaths(String pattern, String path, boolean taken) {
        assertThat(PathPattern.of(pattern).matches(path)).isEqualTo(taken);
    }
}
