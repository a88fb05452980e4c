// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Listener;
import io.semel.http.Caller;
import io.semel.http.HttpRules;
import io.semel.webflux.Callers;
import io.semel.webflux.IdempotencyWebFilter;
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
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Guards the HTTP requests of a reactive application; HttpRules, Callers or a filter of the application's own come first. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({IdempotencyWebFilter.class, RequestMappingHandlerMapping.class})
@ConditionalOnMissingBean(IdempotencyWebFilter.class)
@ConditionalOnBooleanProperty(name = "semel.http.enabled", matchIfMissing = true)
@EnableConfigurationProperties({SemelHttpProperties.class, SemelSessionsProperties.class})
public class SemelWebFluxAutoConfiguration {

    private static final String SECURITY = "org.springframework.security.web.server.SecurityWebFilterChain";

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
        return exchange -> exchange.getPrincipal()
                .map(Principal::getName)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .map(name -> caller(
                        principals, name.orElse(null), exchange.getRequest().getHeaders()));
    }

    private static Caller caller(Principals principals, @Nullable String name, HttpHeaders headers) {
        String header = principals.tenantHeader();
        return principals.of(name, header == null ? List.of() : headers.getOrEmpty(header));
    }

    private static boolean isSecured(ConfigurableListableBeanFactory beans) {
        ClassLoader loader = SemelWebFluxAutoConfiguration.class.getClassLoader();
        return ClassUtils.isPresent(SECURITY, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(SECURITY, loader), false, false).length > 0;
    }

    @Bean
    WebFluxGuards semelGuards(
            Engines engines,
            HttpRules rules,
            Callers callers,
            SemelProperties general,
            SemelHttpProperties settings,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Sessions> sessions) {
        Spans spans = new Spans(settings.over(general), text -> String.valueOf(beans.resolveEmbeddedValue(text)));
        WebFluxGuards guards = new WebFluxGuards(engines, rules, callers, settings, spans, sessions.getIfAvailable());
        LoggerFactory.getLogger(SemelWebFluxAutoConfiguration.class).info(guards.says());
        return guards;
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
        String base = String.valueOf(beans.resolveEmbeddedValue("${spring.webflux.base-path:}"));
        return Sessions.open(
                backing.getIfAvailable(),
                general,
                settings,
                listeners.orderedStream().toList(),
                secrets,
                beans,
                base);
    }

    @Bean
    GuardWebFilter semelFilter(
            WebFluxGuards guards, ObjectProvider<RequestMappingHandlerMapping> mappings, SemelHttpProperties settings) {
        return new GuardWebFilter(guards, mappings, settings.paths(), settings.order());
    }
}
