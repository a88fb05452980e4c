// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.observe.LoggingListener;
import io.semel.seal.Seal;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import tools.jackson.databind.json.JsonMapper;

/** Guards {@link Idempotent} methods with the store that it finds; a Store or Engine of the application's own comes first. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties(SemelProperties.class)
@Import(ProxyRegistrar.class)
public class SemelAutoConfiguration {

    /** Outside of transactions and caches, whose order is the lowest; inside of {@code @Retryable} and {@code @Async}. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    /** The store, and the engine on it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Engine.class)
    static class EngineConfiguration {

        @Bean
        @DependsOnDatabaseInitialization
        Backing semelBacking(SemelProperties settings, ConfigurableListableBeanFactory beans) {
            Backing backing = new Backings(settings, beans).choose();
            LoggerFactory.getLogger(SemelAutoConfiguration.class).info(backing.says());
            return backing;
        }

        @Bean
        @ConditionalOnBooleanProperty(name = "semel.purge.enabled", matchIfMissing = true)
        @Nullable
        Purging semelPurging(Backing backing, SemelProperties settings) {
            return backing.purgeable()
                    .map(store -> Purging.of("keys", store, settings.purge()))
                    .orElse(null);
        }

        @Bean
        Engine semelEngine(Backing backing, ObjectProvider<Listener> listeners, Secrets secrets) {
            return Engines.on(backing.store(), listeners.orderedStream().toList(), secrets);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    LoggingListener semelLog() {
        return new LoggingListener();
    }

    @Bean
    Engines semelEngines(
            Engine engine, ObjectProvider<Backing> backing, ObjectProvider<Listener> listeners, Secrets secrets) {
        Backing own = backing.getIfAvailable();
        return own == null
                ? Engines.of(engine)
                : Engines.of(engine, own, listeners.orderedStream().toList(), secrets);
    }

    @Bean
    Secrets semelSecrets(ObjectProvider<Seal> seal, SemelProperties settings) {
        return Secrets.of(seal.getIfAvailable(), settings.fingerprints());
    }

    /** Answers are encrypted where there are keys to do it with. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Seal.class)
    @Conditional(SealKeys.class)
    static class SealConfiguration {

        @Bean
        Seal semelSeal(SemelProperties settings) {
            return SealKeys.seal(settings.seal());
        }
    }

    @Bean
    Plans semelPlans(
            Engines engines,
            SemelProperties settings,
            ObjectProvider<JsonMapper> mapper,
            ConfigurableListableBeanFactory beans) {
        return new Plans(
                engines,
                settings,
                mapper.getIfAvailable(() -> JsonMapper.builder().build()),
                beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor semelAdvisor(ObjectProvider<Plans> plans) {
        var advisor = new DefaultPointcutAdvisor(new Marked(), new IdempotentInterceptor(plans));
        advisor.setOrder(ORDER);
        return advisor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentCheck semelCheck(
            ConfigurableListableBeanFactory beans, ObjectProvider<Plans> plans, ObjectProvider<RouteCheck> routes) {
        return new IdempotentCheck(beans, plans, routes);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitWatchRegistrar semelCommitWatch() {
        return new CommitWatchRegistrar();
    }

    private static final class Marked extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return Methods.isMarked(method, type);
        }
    }
}
