// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Engine;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases 40, 43 and 44 of the profile: who asks is established, and allowed to, before anything is looked up. */
@ParameterizedClass
@EnumSource(Container.class)
class AuthenticationTest extends Service {

    private final Map<String, String> tokens =
            new ConcurrentHashMap<>(Map.of("t1", "alice", "t2", "alice", "t3", "bob"));

    @BeforeEach
    void authenticate() {
        front = this::authenticated;
        filter = IdempotencyFilter.on(
                HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard()), CallerResolver.byPrincipal());
    }

    @Test
    void case44_whoLostTheRightGetsA403AndNotTheStoredAnswer() throws Exception {
        assertThat(send(pay().header("Authorization", "t1")).status()).isEqualTo(201);
        tokens.remove("t1");

        Got retry = send(pay().header("Authorization", "t1"));

        assertThat(retry.status()).isEqualTo(403);
        assertThat(retry.text()).doesNotContain("payment 1");
    }

    @Test
    void case40_whoIsTurnedAwayBeforeTheFilterMayComeBackWithTheSameKey() throws Exception {
        assertThat(send(pay()).status()).isEqualTo(401);
        assertThat(send(pay().header("Authorization", "t9")).status()).isEqualTo(403);
        assertThat(records()).isZero();

        assertThat(send(pay().header("Authorization", "t1")).status()).isEqualTo(201);
    }

    @Test
    void case40_aHandlersOwn403IsNotRecorded() throws Exception {
        handler = answering(403);
        assertThat(send(pay().header("Authorization", "t1")).status()).isEqualTo(403);

        handler = this::charge;
        assertThat(send(pay().header("Authorization", "t1")).status()).isEqualTo(201);
    }

    @Test
    void case43_anotherPrincipalWithTheSameKeyRunsByItself() throws Exception {
        Got alice = send(pay().header("Authorization", "t1"));
        Got bob = send(pay().header("Authorization", "t3"));

        assertThat(alice.text()).isEqualTo("payment 1");
        assertThat(bob.text()).isEqualTo("payment 2");
        assertThat(bob.replayed()).isFalse();
    }

    @Test
    void aRotatedTokenStillFindsItsAnswers() throws Exception {
        send(pay().header("Authorization", "t1"));

        assertThat(send(pay().header("Authorization", "t2")).replayed()).isTrue();
    }

    @Test
    void aKeyWithoutAPrincipalIsAnErrorUnlessAnonymousCallersAreAllowed() throws Exception {
        front = (request, response, chain) -> chain.doFilter(request, response);
        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(send(Sent.post("/payments")).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);

        filter = IdempotencyFilter.on(
                HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard()),
                CallerResolver.byPrincipalOrAnonymous());
        assertThat(send(pay()).status()).isEqualTo(201);
        assertThat(send(pay()).replayed()).isTrue();
    }

    private void authenticated(ServletRequest anyRequest, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        String token = request.getHeader("Authorization");
        String name = token == null ? null : tokens.get(token);
        if (name == null) {
            ((HttpServletResponse) response).sendError(token == null ? 401 : 403);
            return;
        }
        Principal principal = () -> name;
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return principal;
                    }
                },
                response);
    }
}
