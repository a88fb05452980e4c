// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.observe.LoggingListener;
import io.semel.seal.Seal;
import io.semel.spring.internal.json.Json;
import io.semel.spring.internal.method.IdempotentBeanCheck;
import io.semel.spring.internal.method.IdempotentInterceptor;
import io.semel.spring.internal.method.IdempotentMethods;
import io.semel.spring.internal.method.MethodPlans;
import io.semel.spring.internal.method.ProxyRegistrar;
import io.semel.spring.internal.method.RouteCheck;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.EngineSecrets;
import io.semel.spring.internal.store.Engines;
import io.semel.spring.internal.store.PurgeLifecycle;
import io.semel.spring.internal.store.SealKeys;
import io.semel.spring.internal.store.StoreSelection;
import io.semel.spring.internal.transaction.CommitWatchRegistrar;
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

/** The auto-configuration of {@link Idempotent} methods, on the store that it finds; the application's Store or Engine takes precedence. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
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
        ApplicationStore semelBacking(SemelProperties settings, ConfigurableListableBeanFactory beans) {
            ApplicationStore backing = new StoreSelection(settings, beans).choose();
            LoggerFactory.getLogger(SemelAutoConfiguration.class).info(backing.describe());
            return backing;
        }

        @Bean
        @ConditionalOnBooleanProperty(name = "semel.purge.enabled", matchIfMissing = true)
        @Nullable
        PurgeLifecycle semelPurging(ApplicationStore backing, SemelProperties settings) {
            return backing.purgeable()
                    .map(store -> PurgeLifecycle.of("keys", store, settings.purge()))
                    .orElse(null);
        }

        @Bean
        Engine semelEngine(ApplicationStore backing, ObjectProvider<Listener> listeners, EngineSecrets secrets) {
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
            Engine engine,
            ObjectProvider<ApplicationStore> backing,
            ObjectProvider<Listener> listeners,
            EngineSecrets secrets) {
        ApplicationStore own = backing.getIfAvailable();
        return own == null
                ? Engines.of(engine)
                : Engines.of(engine, own, listeners.orderedStream().toList(), secrets);
    }

    @Bean
    EngineSecrets semelSecrets(ObjectProvider<Seal> seal, SemelProperties settings) {
        return EngineSecrets.of(seal.getIfAvailable(), settings.fingerprints());
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
    Json semelJson(ConfigurableListableBeanFactory beans) {
        return Json.of(beans);
    }

    @Bean
    MethodPlans semelPlans(
            Engines engines, SemelProperties settings, Json json, ConfigurableListableBeanFactory beans) {
        return new MethodPlans(engines, settings, json, beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor semelAdvisor(ObjectProvider<MethodPlans> plans) {
        var advisor = new DefaultPointcutAdvisor(new Marked(), new IdempotentInterceptor(plans));
        advisor.setOrder(ORDER);
        return advisor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentBeanCheck semelCheck(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<MethodPlans> plans,
            ObjectProvider<RouteCheck> routes) {
        return new IdempotentBeanCheck(beans, plans, routes);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitWatchRegistrar semelCommitWatch() {
        return new CommitWatchRegistrar();
    }

    private static final class Marked extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> type) {
            return IdempotentMethods.isMarked(method, type);
        }
    }
}
