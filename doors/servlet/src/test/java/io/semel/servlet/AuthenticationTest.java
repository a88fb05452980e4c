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

/** Callers by their principals, which something in front of the filter has established. */
@ParameterizedClass
@EnumSource(Container.class)
class AuthenticationTest extends Service {

    private final Map<String, String> tokens =
            new ConcurrentHashMap<>(Map.of("t1", "alice", "t2", "alice", "t3", "bob"));

    @BeforeEach
    void authenticate() {
        front = this::authenticated;
        filter = IdempotencyFilter.on(
                HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard()),
                CallerResolver.byPrincipal());
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
