// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Engine;
import io.semel.Inspectable;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.observe.CallMeters;
import io.semel.observe.KeyHashes;
import io.semel.observe.SessionMeters;
import io.semel.observe.StoreMeters;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Metrics, health and the endpoint of Semel, each where the application has what it is for. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
public class SemelActuatorAutoConfiguration {

    /** Counters, timers and gauges. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class MetersConfiguration {

        @Bean
        @ConditionalOnMissingBean
        CallMeters semelCallMeters(MeterRegistry registry) {
            return new CallMeters(registry);
        }

        /** A binder, which Boot has count once all registries are there. */
        @Bean
        @ConditionalOnBean(Backing.class)
        MeterBinder semelStoreMeters(
                Backing backing,
                SemelProperties settings,
                ObjectProvider<Purger> purger,
                ObjectProvider<Sessions> sessions) {
            return registry -> {
                if (backing.shown() instanceof Inspectable inspectable) {
                    new StoreMeters(inspectable, settings.countEvery()).bindTo(registry);
                }
                purger.ifAvailable(it -> bind(it, registry));
                sessions.ifAvailable(it -> it.tell(new SessionMeters(it.store(), settings.countEvery(), registry)));
            };
        }

        private static void bind(Purger purger, MeterRegistry registry) {
            FunctionCounter.builder("semel.purged", purger, Purger::purged).register(registry);
            FunctionCounter.builder("semel.purge.failures", purger, Purger::failures)
                    .register(registry);
        }
    }

    /** Key hashes on spans. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class SpansConfiguration {

        @Bean
        @ConditionalOnMissingBean
        KeyHashes semelKeyHashes(ObservationRegistry observations) {
            return new KeyHashes(observations);
        }
    }

    /** Whether the store can be asked. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("semel")
    @ConditionalOnBean(Backing.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "semelHealthIndicator")
        HealthIndicator semelHealthIndicator(Backing backing) {
            return new AbstractHealthIndicator("Semel's store cannot be asked") {
                @Override
                protected void doHealthCheck(Health.Builder health) {
                    backing.shown().now();
                    health.up()
                            .withDetail("store", backing.name())
                            .withDetail("level", backing.store().level());
                }
            };
        }
    }

    /** The endpoint for operators. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnAvailableEndpoint(SemelEndpoint.class)
    @ConditionalOnBean(Backing.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        SemelEndpoint semelEndpoint(Backing backing, SemelProperties settings, ObjectProvider<Listener> listeners) {
            Operation operation = Operation.named("operator").retention(settings.retention(), settings.remembrance());
            return new SemelEndpoint(Engines.listening(
                    Engine.on(backing.shown()).with(operation),
                    listeners.orderedStream().toList()));
        }
    }
}
