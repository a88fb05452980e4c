// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.HttpSessions;
import io.semel.http.KeyUse;
import io.semel.session.MemorySessions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** The cases of the profile that a server could spoil, over the wire. */
class DoorTest extends Service {

    @Test
    void theFirstAnswerIsReplayedAsItWas() throws Exception {
        HttpResponse<String> first = isRepeated();

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("payment 1");
        assertThat(header(first, "Location")).isEqualTo("/payments/1");
        assertThat(store.count().settled()).isEqualTo(1);
        assertThat(effects).hasValue(1);
    }

    @Test
    void anythingElseUnderTheSameKeyIsRefused() throws Exception {
        send(pay());

        assertThat(problem(send(pay().POST(BodyPublishers.ofString("{}"))))).isEqualTo("key-reused");
        assertThat(problem(send(pay().setHeader("Content-Type", "text/plain")))).isEqualTo("key-reused");
        assertThat(send(pay().header("X-User", "bob")).body()).isEqualTo("payment 2");
        assertThat(effects).hasValue(2);
    }

    @Test
    void badKeysAreRefusedWithTheirProblemAndNothingRuns() throws Exception {
        List<String> malformed =
                List.of("\"\"", "\"abc", "'abc'", "\"abc\" x", "\"" + "x".repeat(256) + "\"", "(\"a\")", "a b", "a,b");
        for (String value : malformed) {
            assertThat(problem(send(post().header("Idempotency-Key", value))))
                    .as(value)
                    .isEqualTo("malformed-key");
        }
        assertThat(problem(send(pay().header("Idempotency-Key", key)))).isEqualTo("malformed-key");
        filter = filter(HttpRules.standard().keys(KeyUse.REQUIRED));
        HttpResponse<String> missing = send(post());
        assertThat(problem(missing)).isEqualTo("missing-key");
        assertThat(header(missing, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(effects).hasValue(0);
        assertThat(records()).isZero();
    }

    @Test
    void withoutAKeyOrByAMethodThatReadsEveryRequestPasses() throws Exception {
        assertThat(send(post()).body()).isEqualTo("payment 1");
        assertThat(send(post()).body()).isEqualTo("payment 2");
        assertThat(send(pay().GET()).body()).isEqualTo("payment 3");
        assertThat(records()).isZero();
    }

    @Test
    void whileTheFirstRunsARetryIsToldToWait() throws Exception {
        Sinks.Empty<Void> mayEnd = Sinks.empty();
        Sinks.Empty<Void> running = Sinks.empty();
        handler = exchange -> {
            running.tryEmitEmpty();
            return mayEnd.asMono().then(Mono.defer(() -> charge(exchange)));
        };
        var first = Mono.fromCallable(() -> send(pay()))
                .subscribeOn(Schedulers.boundedElastic())
                .toFuture();
        running.asMono().block(Duration.ofSeconds(30));

        HttpResponse<String> second = send(pay());
        mayEnd.tryEmitEmpty();

        assertThat(problem(second)).isEqualTo("in-progress");
        assertThat(header(second, "Retry-After")).isNotNull();
        assertThat(first.get().body()).isEqualTo("payment 1");
        assertThat(isReplayed(send(pay()))).isTrue();
    }

    @Test
    void aServerErrorIsForgottenAndARefusalIsReplayed() throws Exception {
        handler = answering(503);
        assertThat(send(pay()).statusCode()).isEqualTo(503);
        handler = answering(422);
        assertThat(send(pay()).body()).isEqualTo("run 2");
        assertThat(isReplayed(send(pay()))).isTrue();
        assertThat(effects).hasValue(2);
    }

    @Test
    void aSessionBelongsToWhoeverRegisteredIt() throws Exception {
        HttpSessions sessions = HttpSessions.on(new MemorySessions(4));
        HttpIdempotency door = HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard())
                .sessions(sessions);
        filter = IdempotencyWebFilter.on(
                door,
                exchange -> Mono.just(Caller.of(
                        String.valueOf(exchange.getRequest().getHeaders().getFirst("X-User")))));
        URI at = URI.create("http://127.0.0.1:" + port() + "/.semel/sessions");
        HttpResponse<String> registered =
                send(HttpRequest.newBuilder(at).header("X-User", "alice").POST(BodyPublishers.noBody()));
        assertThat(registered.statusCode()).isEqualTo(201);
        String id = registered.headers().firstValue("Location").orElseThrow().replaceFirst(".*/", "");

        assertThat(send(numbered(id, "alice")).body()).isEqualTo("payment 1");
        assertThat(isReplayed(send(numbered(id, "alice")))).isTrue();
        assertThat(send(numbered(id, "mallory")).body()).contains("session-unknown");
        assertThat(effects).hasValue(1);
        HttpRequest.Builder close = HttpRequest.newBuilder(URI.create(at + "/" + id));
        assertThat(send(close.copy().header("X-User", "mallory").DELETE()).body())
                .contains("session-unknown");
        assertThat(send(close.copy().header("X-User", "alice").DELETE()).statusCode())
                .isEqualTo(204);
    }

    private HttpRequest.Builder numbered(String id, String user) {
        return post().header("X-User", user)
                .header("Semel-Session", id)
                .header("Semel-Request", "1")
                .header("Semel-First-Outstanding", "1")
                .POST(BodyPublishers.ofString("{}"));
    }

    @Test
    void theFirstOfTwoFiltersDecides() throws Exception {
        front = filter;

        isRepeated();
        assertThat(effects).hasValue(1);
    }

    @Test
    void aKeyBelongsToThePrincipalAndNeedsOneUnlessAnonymousCallersAreAllowed() throws Exception {
        filter = named(Callers.byPrincipal());
        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(records()).isZero();

        filter = named(Callers.byPrincipalOrAnonymous());
        assertThat(send(pay()).body()).isEqualTo("payment 1");
        front = (exchange, chain) -> chain.filter(as("alice", exchange));
        assertThat(send(pay()).body()).isEqualTo("payment 2");
        filter = named(Callers.byPrincipal());
        assertThat(send(pay()).body()).isEqualTo("payment 2");
        filter = named(exchange -> Mono.just(Caller.of("acme", "alice")));
        assertThat(send(pay()).body()).isEqualTo("payment 3");
        filter = named(exchange -> Mono.empty());
        assertThat(send(pay()).statusCode()).isEqualTo(500);
    }

    private IdempotencyWebFilter named(Callers callers) {
        return IdempotencyWebFilter.on(
                HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard()), callers);
    }

    private static ServerWebExchange as(String name, ServerWebExchange exchange) {
        return new ServerWebExchangeDecorator(exchange) {
            @Override
            @SuppressWarnings("unchecked")
            public <T extends Principal> Mono<T> getPrincipal() {
                return Mono.just((T) (Principal) () -> name);
            }
        };
    }
}
