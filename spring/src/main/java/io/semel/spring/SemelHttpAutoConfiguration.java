// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.http.HttpRules;
import io.semel.servlet.CallerResolver;
import io.semel.servlet.IdempotencyFilter;
import io.semel.spring.internal.http.ApplicationSessions;
import io.semel.spring.internal.http.BasePath;
import io.semel.spring.internal.http.HttpConfiguration;
import io.semel.spring.internal.http.PrincipalCallers;
import io.semel.spring.internal.http.RouteRegistry;
import io.semel.spring.internal.method.OperationSettings;
import io.semel.spring.internal.method.TransactionRules;
import io.semel.spring.internal.servlet.ErrorControllers;
import io.semel.spring.internal.servlet.ErrorPages;
import io.semel.spring.internal.servlet.FlushInterceptor;
import io.semel.spring.internal.servlet.HandlerLookup;
import io.semel.spring.internal.servlet.RouteFilters;
import io.semel.spring.internal.servlet.RoutingFilter;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.EngineSecrets;
import io.semel.spring.internal.store.Engines;
import io.semel.spring.internal.transaction.RequestStore;
import io.semel.store.Store;
import jakarta.servlet.DispatcherType;
import java.security.Principal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The auto-configuration that lets HTTP requests carry an idempotency key in servlet applications. HttpRules, CallerResolver or an
 * IdempotencyFilter of the application take precedence.
 */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(IdempotencyFilter.class)
@ConditionalOnMissingBean(IdempotencyFilter.class)
@ConditionalOnBooleanProperty(name = "semel.http.enabled", matchIfMissing = true)
@Import(HttpConfiguration.class)
public class SemelHttpAutoConfiguration {

    private static final String SECURITY_CHAIN = "org.springframework.security.web.SecurityFilterChain";

    @Bean
    BasePath semelBasePath(ConfigurableListableBeanFactory beans) {
        return new BasePath(String.valueOf(beans.resolveEmbeddedValue("${server.servlet.context-path:}")));
    }

    @Bean
    @ConditionalOnMissingBean
    CallerResolver semelCallers(SemelHttpProperties settings, ConfigurableListableBeanFactory beans) {
        PrincipalCallers callers = PrincipalCallers.of(settings, beans, SECURITY_CHAIN);
        return request -> {
            Principal principal = request.getUserPrincipal();
            String tenant = callers.tenantHeader();
            return callers.caller(
                    principal == null ? null : principal.getName(),
                    tenant == null ? List.of() : Collections.list(request.getHeaders(tenant)));
        };
    }

    @Bean
    RouteRegistry<IdempotencyFilter> semelRoutes(
            Engines engines,
            ObjectProvider<ApplicationStore> store,
            ObjectProvider<Listener> listeners,
            HttpRules rules,
            CallerResolver callers,
            SemelProperties general,
            SemelHttpProperties settings,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ApplicationSessions> sessions,
            EngineSecrets secrets) {
        RequestStore joined = engines.joins() ? requests(store.getObject().store()) : null;
        RouteFilters filters = new RouteFilters(
                joined == null ? engines : joined(engines, joined, listeners, secrets),
                rules,
                callers,
                settings,
                OperationSettings.of(settings.over(general), beans),
                joined == null ? null : new TransactionRules(beans),
                sessions.getIfAvailable());
        LoggerFactory.getLogger(SemelHttpAutoConfiguration.class).info(filters.describe());
        return new RouteRegistry<>(filters, settings, sessions.getIfAvailable());
    }

    private static RequestStore requests(Store store) {
        return new RequestStore(store, store);
    }

    private static Engines joined(
            Engines engines, RequestStore store, ObjectProvider<Listener> listeners, EngineSecrets secrets) {
        Engine engine = Engines.on(store, listeners.orderedStream().toList(), secrets);
        return new Engines(engine, engines.leased(), true, engines.database(), engines.looksFirst());
    }

    @Bean
    FilterRegistrationBean<RoutingFilter> semelFilter(
            RouteRegistry<IdempotencyFilter> routes,
            ObjectProvider<HandlerLookup> handlers,
            ObjectProvider<ErrorPages> pages,
            SemelHttpProperties settings) {
        @Nullable HandlerLookup lookup = handlers.getIfAvailable();
        var registration = new FilterRegistrationBean<>(
                new RoutingFilter(routes, lookup, pages.getIfAvailable(() -> new ErrorPages(null))));
        registration.setName("semelIdempotency");
        registration.setOrder(settings.order());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        registration.setAsyncSupported(true);
        return registration;
    }

    /** The beans that need Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestMappingHandlerMapping.class)
    static class MvcConfiguration {

        /** The mapping of Boot's own controller for errors. */
        private static final String ERROR_PATH = "${spring.web.error.path:${error.path:/error}}";

        @Bean
        HandlerLookup semelHandlerLookup(ObjectProvider<RequestMappingHandlerMapping> mappings) {
            return new HandlerLookup(mappings);
        }

        @Bean
        ErrorPages semelErrorPages(ConfigurableListableBeanFactory beans) {
            boolean there = ErrorControllers.areIn(beans);
            return new ErrorPages(there ? beans.resolveEmbeddedValue(ERROR_PATH) : null);
        }

        @Bean
        WebMvcConfigurer semelFlushInterceptor() {
            return new WebMvcConfigurer() {
                @Override
                public void addInterceptors(InterceptorRegistry registry) {
                    registry.addInterceptor(new FlushInterceptor());
                }
            };
        }
    }
}
