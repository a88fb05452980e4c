// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.http.HttpRules;
import io.semel.servlet.Callers;
import io.semel.servlet.IdempotencyFilter;
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
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Guards HTTP requests with an idempotency key; HttpRules, Callers or an IdempotencyFilter of the application's own come first. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(IdempotencyFilter.class)
@ConditionalOnMissingBean(IdempotencyFilter.class)
@ConditionalOnBooleanProperty(name = "semel.http.enabled", matchIfMissing = true)
@EnableConfigurationProperties({SemelHttpProperties.class, SemelSessionsProperties.class})
public class SemelHttpAutoConfiguration {

    private static final String SECURITY = "org.springframework.security.web.SecurityFilterChain";

    @Bean
    @ConditionalOnMissingBean
    HttpRules semelHttpRules(SemelHttpProperties settings) {
        return Rules.of(settings);
    }

    @Bean
    @ConditionalOnMissingBean
    Callers semelCallers(SemelHttpProperties settings, ConfigurableListableBeanFactory beans) {
        Boolean said = settings.anonymous();
        Principals principals = new Principals(said == null ? !isSecured(beans) : said, settings.tenantHeader());
        return request -> {
            Principal principal = request.getUserPrincipal();
            String tenant = principals.tenantHeader();
            return principals.of(
                    principal == null ? null : principal.getName(),
                    tenant == null ? List.of() : Collections.list(request.getHeaders(tenant)));
        };
    }

    private static boolean isSecured(ConfigurableListableBeanFactory beans) {
        ClassLoader loader = SemelHttpAutoConfiguration.class.getClassLoader();
        return ClassUtils.isPresent(SECURITY, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(SECURITY, loader), false, false).length > 0;
    }

    @Bean
    Guards semelGuards(
            Engines engines,
            ObjectProvider<Backing> backing,
            ObjectProvider<Listener> listeners,
            HttpRules rules,
            Callers callers,
            SemelProperties general,
            SemelHttpProperties settings,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Sessions> sessions,
            Secrets secrets) {
        Spans spans = new Spans(settings.over(general), text -> String.valueOf(beans.resolveEmbeddedValue(text)));
        RequestStore store = engines.joins() ? requests(backing.getObject().store()) : null;
        Guards guards = new Guards(
                store == null ? engines : joined(engines, store, listeners, secrets),
                rules,
                callers,
                settings,
                spans,
                store == null ? null : new TransactionRules(beans),
                sessions.getIfAvailable());
        LoggerFactory.getLogger(SemelHttpAutoConfiguration.class).info(guards.says());
        return guards;
    }

    private static RequestStore requests(Store store) {
        return new RequestStore(store, store);
    }

    private static Engines joined(
            Engines engines, RequestStore store, ObjectProvider<Listener> listeners, Secrets secrets) {
        Engine engine = Engines.on(store, listeners.orderedStream().toList(), secrets);
        return new Engines(engine, engines.leased(), true, engines.database(), engines.looksFirst());
    }

    @Bean
    @ConditionalOnBooleanProperty("semel.sessions.enabled")
    Sessions semelSessions(
            ObjectProvider<Backing> backing,
            ObjectProvider<Listener> listeners,
            SemelProperties general,
            SemelSessionsProperties settings,
            ConfigurableListableBeanFactory beans,
            Secrets secrets) {
        String context = String.valueOf(beans.resolveEmbeddedValue("${server.servlet.context-path:}"));
        return Sessions.open(
                backing.getIfAvailable(),
                general,
                settings,
                listeners.orderedStream().toList(),
                secrets,
                beans,
                context);
    }

    @Bean
    FilterRegistrationBean<GuardFilter> semelFilter(
            Guards guards,
            ObjectProvider<Routes> routes,
            ObjectProvider<ErrorPages> pages,
            SemelHttpProperties settings) {
        @Nullable Routes found = routes.getIfAvailable();
        var registration = new FilterRegistrationBean<>(
                new GuardFilter(guards, found, settings.paths(), pages.getIfAvailable(() -> new ErrorPages(null))));
        registration.setName("semelIdempotency");
        registration.setOrder(settings.order());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        registration.setAsyncSupported(true);
        return registration;
    }

    /** What needs Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestMappingHandlerMapping.class)
    static class MvcConfiguration {

        /** As Boot's own controller for errors is mapped. */
        private static final String ERROR_PATH = "${spring.web.error.path:${error.path:/error}}";

        @Bean
        Routes semelRoutes(ObjectProvider<RequestMappingHandlerMapping> mappings) {
            return new Routes(mappings);
        }

        @Bean
        ErrorPages semelErrorPages(ObjectProvider<ErrorController> controllers, ConfigurableListableBeanFactory beans) {
            boolean there = controllers.stream().findAny().isPresent();
            return new ErrorPages(there ? beans.resolveEmbeddedValue(ERROR_PATH) : null);
        }

        @Bean
        WebMvcConfigurer semelFlushBeforeAnswer() {
            return new WebMvcConfigurer() {
                @Override
                public void addInterceptors(InterceptorRegistry registry) {
                    registry.addInterceptor(new FlushBeforeAnswer());
                }
            };
        }
    }
}
