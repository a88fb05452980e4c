// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.http.Caller;
import io.semel.http.HttpRules;
import io.semel.spring.internal.http.ApplicationSessions;
import io.semel.spring.internal.http.BasePath;
import io.semel.spring.internal.http.HttpConfiguration;
import io.semel.spring.internal.http.PrincipalCallers;
import io.semel.spring.internal.http.RouteRegistry;
import io.semel.spring.internal.method.OperationSettings;
import io.semel.spring.internal.reactive.HeaderLines;
import io.semel.spring.internal.reactive.RoutingWebFilter;
import io.semel.spring.internal.reactive.WatchedHandlers;
import io.semel.spring.internal.reactive.WebFluxRouteFilters;
import io.semel.spring.internal.store.Engines;
import io.semel.webflux.IdempotencyWebFilter;
import io.semel.webflux.ReactiveCallerResolver;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/**
 * The auto-configuration that lets HTTP requests carry an idempotency key in reactive applications. HttpRules, ReactiveCallerResolver or an
 * IdempotencyWebFilter of the application take precedence.
 */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({IdempotencyWebFilter.class, RequestMappingHandlerMapping.class})
@ConditionalOnMissingBean(IdempotencyWebFilter.class)
@ConditionalOnBooleanProperty(name = "semel.http.enabled", matchIfMissing = true)
@Import(HttpConfiguration.class)
public class SemelWebFluxAutoConfiguration {

    private static final String SECURITY_CHAIN = "org.springframework.security.web.server.SecurityWebFilterChain";

    @Bean
    BasePath semelBasePath(ConfigurableListableBeanFactory beans) {
        return new BasePath(String.valueOf(beans.resolveEmbeddedValue("${spring.webflux.base-path:}")));
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveCallerResolver semelCallers(SemelHttpProperties settings, ConfigurableListableBeanFactory beans) {
        PrincipalCallers callers = PrincipalCallers.of(settings, beans, SECURITY_CHAIN);
        return exchange -> exchange.getPrincipal()
                .map(Principal::getName)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .map(name ->
                        caller(callers, name.orElse(null), exchange.getRequest().getHeaders()));
    }

    private static Caller caller(PrincipalCallers callers, @Nullable String name, HttpHeaders headers) {
        String header = callers.tenantHeader();
        return callers.caller(name, header == null ? List.of() : HeaderLines.of(headers, header));
    }

    @Bean
    RouteRegistry<IdempotencyWebFilter> semelRoutes(
            Engines engines,
            HttpRules rules,
            ReactiveCallerResolver callers,
            SemelProperties general,
            SemelHttpProperties settings,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ApplicationSessions> sessions) {
        WebFluxRouteFilters filters = new WebFluxRouteFilters(
                engines,
                rules,
                callers,
                settings,
                OperationSettings.of(settings.over(general), beans),
                sessions.getIfAvailable());
        LoggerFactory.getLogger(SemelWebFluxAutoConfiguration.class).info(filters.describe());
        return new RouteRegistry<>(filters, settings, sessions.getIfAvailable());
    }

    @Bean
    RoutingWebFilter semelFilter(
            RouteRegistry<IdempotencyWebFilter> routes,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            SemelHttpProperties settings) {
        return new RoutingWebFilter(routes, mappings, settings.order());
    }

    @Bean
    WatchedHandlers semelWatchedHandlers(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
        return new WatchedHandlers(adapters);
    }
}
