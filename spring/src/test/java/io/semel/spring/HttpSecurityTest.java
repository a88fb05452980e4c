// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Behind Spring Security. */
class HttpSecurityTest {

    private static final Set<String> MAY = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final AtomicBoolean ASKED = new AtomicBoolean(true);
    private static final AtomicInteger BEHIND = new AtomicInteger();
    private static Web web;

    @RestController
    static class Desk {

        @PostMapping("/orders")
        String order() {
            return "order " + RUNS.incrementAndGet();
        }

        @PostMapping("/self")
        ResponseEntity<String> checkByItself() {
            return ASKED.get()
                    ? ResponseEntity.ok("asked")
                    : ResponseEntity.status(403).build();
        }

        @PostMapping("/open")
        String open() {
            return "open " + RUNS.incrementAndGet();
        }

        @RequestMapping(
                path = "/form",
                method = {RequestMethod.POST, RequestMethod.PATCH})
        String form(@RequestParam String item) {
            return item + " " + RUNS.incrementAndGet();
        }
    }

    /** With the method of Spring Security 7 and that of version 6, which was another one. */
    static final class Permission implements AuthorizationManager<RequestAuthorizationContext> {

        @Override
        public AuthorizationDecision authorize(
                Supplier<? extends Authentication> user, RequestAuthorizationContext context) {
            return decision(user);
        }

        @SuppressWarnings({"unused", "UnusedMethod", "UnusedVariable"}) // version 6 calls it
        public AuthorizationDecision check(Supplier<? extends Authentication> user, Object context) {
            return decision(user);
        }

        private static AuthorizationDecision decision(Supplier<? extends Authentication> user) {
            return new AuthorizationDecision(MAY.contains(user.get().getName()));
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import(Desk.class)
    static class App {

        @Bean
        SecurityFilterChain security(HttpSecurity http) {
            return http.csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/open", "/error")
                            .permitAll()
                            .anyRequest()
                            .access(new Permission()))
                    .build();
        }

        /** As filters do that look for a token among the parameters. */
        @Bean
        FilterRegistrationBean<?> reading() {
            var registration = new FilterRegistrationBean<>((request, response, chain) -> {
                if (((HttpServletRequest) request).getHeader("Read") != null) {
                    request.getParameter("token");
                }
                chain.doFilter(request, response);
            });
            registration.setOrder(0);
            return registration;
        }

        /** Without an order. */
        @Bean
        Filter behind() {
            return (request, response, chain) -> {
                BEHIND.incrementAndGet();
                chain.doFilter(request, response);
            };
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(user("alice"), user("bob"));
        }

        private static org.springframework.security.core.userdetails.UserDetails user(String name) {
            return User.withUsername(name)
                    .password("{noop}secret")
                    .roles("USER")
                    .build();
        }
    }

    @BeforeAll
    static void start() {
        web = Web.start(App.class, "semel.store=memory", "semel.http.tenant-header=X-Tenant", WITHOUT_DATABASE);
    }

    static final String WITHOUT_DATABASE = "spring.autoconfigure.exclude=" + Boot.DATABASE;

    @AfterAll
    static void stop() {
        web.close();
    }

    private static String as(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    private static Got order(String user, String key, String... headers) throws Exception {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Authorization";
        all[headers.length + 1] = as(user);
        return web.post("/orders", "{}", key, all);
    }

    @Test
    void whoHasLostTheRightGetsNoReplay() throws Exception {
        MAY.add("alice");
        Got first = order("alice", "lost");
        assertThat(order("alice", "lost").replayed()).isTrue();
        MAY.remove("alice");
        Got later = order("alice", "lost");
        assertThat(later.status()).isEqualTo(403);
        assertThat(later.text()).doesNotContain(first.text());
        MAY.add("alice");
        assertThat(order("alice", "lost").text()).isEqualTo(first.text());
    }

    @Test
    void whatAHandlerChecksByItselfIsNotAskedAgainAtAReplay() throws Exception {
        MAY.add("alice");
        ASKED.set(true);
        web.post("/self", "{}", "self", "Authorization", as("alice"));
        ASKED.set(false);
        assertThat(web.post("/self", "{}", "self", "Authorization", as("alice")).text())
                .isEqualTo("asked");
    }

    @Test
    void aFilterWithoutAnOrderStandsBehind() throws Exception {
        MAY.add("alice");
        order("alice", "behind");
        int before = BEHIND.get();
        assertThat(order("alice", "behind").replayed()).isTrue();
        assertThat(BEHIND).hasValue(before);
    }

    @Test
    void twoPrincipalsWithOneKeyAreApart() throws Exception {
        MAY.add("alice");
        MAY.add("bob");
        String alices = order("alice", "same").text();
        Got bobs = order("bob", "same");
        assertThat(bobs.text()).isNotEqualTo(alices);
        assertThat(bobs.replayed()).isFalse();
    }

    @Test
    void twoTenantsOfOnePrincipalAreApart() throws Exception {
        MAY.add("alice");
        String first = order("alice", "tenants", "X-Tenant", "north").text();
        assertThat(order("alice", "tenants", "X-Tenant", "south").text()).isNotEqualTo(first);
        assertThat(order("alice", "tenants", "X-Tenant", "north").text()).isEqualTo(first);
    }

    @Test
    void behindSpringSecurityAKeyWithoutAPrincipalIsAnError() throws Exception {
        int runs = RUNS.get();
        assertThat(web.post("/open", "{}", "nobody").status()).isEqualTo(500);
        assertThat(RUNS).hasValue(runs);
        assertThat(web.send("POST", "/open", "{}").text()).startsWith("open");
    }

    @Test
    void aFormThatAFilterInFrontHasReadIsComparedAllTheSame() throws Exception {
        MAY.add("alice");
        String[] headers = {
            "Authorization", as("alice"), "Content-Type", "application/x-www-form-urlencoded", "Read", "true"
        };
        Got first = web.post("/form", "item=chair", "read", headers);
        assertThat(first.text()).startsWith("chair ");
        assertThat(web.post("/form", "item=chair", "read", headers).text()).isEqualTo(first.text());
        assertThat(web.post("/form", "item=table", "read", headers).status()).isEqualTo(422);
        assertThat(web.post("/form?item=a+b", "item=%C3%A9&x=1", "query", headers)
                        .text())
                .startsWith("a b,\u00e9 ");
        assertThat(web.send("POST", "/form", "item=bed", headers).text()).startsWith("bed ");
    }

    @Test
    void aFormThatIsPatchedIsComparedToo() throws Exception {
        MAY.add("alice");
        String[] headers = {
            "Authorization",
            as("alice"),
            "Content-Type",
            "application/x-www-form-urlencoded",
            "Idempotency-Key",
            "patch"
        };
        Got first = web.send("PATCH", "/form", "item=chair", headers);
        assertThat(first.text()).startsWith("chair ");
        assertThat(web.send("PATCH", "/form", "item=chair", headers).text()).isEqualTo(first.text());
        assertThat(web.send("PATCH", "/form", "item=table", headers).status()).isEqualTo(422);
    }

    @Test
    void formsArriveWhole() throws Exception {
        MAY.add("alice");
        String[] headers = {"Authorization", as("alice"), "Content-Type", "application/x-www-form-urlencoded"};
        Got first = web.post("/form", "item=chair", "form", headers);
        assertThat(first.text()).startsWith("chair");
        assertThat(web.post("/form", "item=chair", "form", headers).text()).isEqualTo(first.text());
        assertThat(web.post("/form", "item=table", "form", headers).status()).isEqualTo(422);
    }
}
