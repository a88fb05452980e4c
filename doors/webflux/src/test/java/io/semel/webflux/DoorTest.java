// SPDX-License-Identifier: Apache-2.0
package io.semel.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.HttpSessions;
import io.semel.session.MemorySessions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import org.junit.jupiter.api.Test;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;

/** Callers, sessions, and two filters in one chain. */
class DoorTest extends Service {

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
        filter = named(ReactiveCallerResolver.byPrincipal());
        assertThat(send(pay()).statusCode()).isEqualTo(500);
        assertThat(records()).isZero();

        filter = named(ReactiveCallerResolver.byPrincipalOrAnonymous());
        assertThat(send(pay()).body()).isEqualTo("payment 1");
        front = (exchange, chain) -> chain.filter(as("alice", exchange));
        assertThat(send(pay()).body()).isEqualTo("payment 2");
        filter = named(ReactiveCallerResolver.byPrincipal());
        assertThat(send(pay()).body()).isEqualTo("payment 2");
        filter = named(exchange -> Mono.just(Caller.of("acme", "alice")));
        assertThat(send(pay()).body()).isEqualTo("payment 3");
        filter = named(exchange -> Mono.empty());
        assertThat(send(pay()).statusCode()).isEqualTo(500);
    }

    private IdempotencyWebFilter named(ReactiveCallerResolver callers) {
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
