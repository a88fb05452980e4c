// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.semel.Engine;
import io.semel.Listener;
import io.semel.Operation;
import io.semel.observe.CallMeters;
import io.semel.observe.KeyHashes;
import io.semel.observe.PurgeMeters;
import io.semel.observe.SessionMeters;
import io.semel.observe.StoreMeters;
import io.semel.spring.internal.actuate.OperatorResolution;
import io.semel.spring.internal.actuate.ParameterNameCheck;
import io.semel.spring.internal.actuate.SemelEndpoint;
import io.semel.spring.internal.actuate.SemelEndpointWebExtension;
import io.semel.spring.internal.http.ApplicationSessions;
import io.semel.spring.internal.json.Json;
import io.semel.spring.internal.method.MethodPlans;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.EngineSecrets;
import io.semel.spring.internal.store.Engines;
import io.semel.spring.internal.store.PurgeLifecycle;
import io.semel.store.Inspectable;
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
import org.springframework.core.env.Environment;

/** The auto-configuration of metrics, health and the endpoint, each where the application supports it. */
@AutoConfiguration(
        after = SemelAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
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
        @ConditionalOnBean(ApplicationStore.class)
        MeterBinder semelStoreMeters(
                ApplicationStore backing,
                SemelProperties settings,
                ObjectProvider<PurgeLifecycle> purging,
                ObjectProvider<ApplicationSessions> sessions) {
            return registry -> {
                if (backing.shown() instanceof Inspectable inspectable) {
                    new StoreMeters(inspectable, settings.countEvery()).bindTo(registry);
                }
                purging.ifAvailable(it -> bind(it, registry));
                sessions.ifAvailable(it -> {
                    it.tell(new SessionMeters(it.store(), it.cap(), settings.countEvery(), registry));
                    it.purging().ifPresent(purges -> bind(purges, registry));
                });
            };
        }

        private static void bind(PurgeLifecycle purging, MeterRegistry registry) {
            new PurgeMeters(purging.records(), purging.purger()).bindTo(registry);
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

    /** Whether the store can be asked; the starter for Spring Boot 3 has its own, as Boot's types moved. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("semel")
    @ConditionalOnBean(ApplicationStore.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "semelHealthIndicator")
        HealthIndicator semelHealthIndicator(ApplicationStore backing) {
            return new AbstractHealthIndicator("Semel's store is not available") {
                @Override
                protected void doHealthCheck(Health.Builder health) {
                    health.up().withDetails(backing.checkedDetails());
                }
            };
        }
    }

    /** The endpoint for operators. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    @ConditionalOnAvailableEndpoint(SemelEndpoint.class)
    @ConditionalOnBean(ApplicationStore.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        SemelEndpoint semelEndpoint(
                ApplicationStore backing,
                SemelProperties settings,
                ObjectProvider<Listener> listeners,
                EngineSecrets secrets,
                ObjectProvider<MethodPlans> plans,
                ObjectProvider<Json> json,
                Environment environment) {
            Operation operation = Operation.named("operator")
                    .retention(settings.retention(), settings.remembrance())
                    .version(settings.version());
            Engine engine =
                    Engines.on(backing.shown(), listeners.orderedStream().toList(), secrets);
            return new SemelEndpoint(
                    engine.with(operation),
                    new OperatorResolution(
                            scope -> plans.getObject().codec(scope),
                            json::getObject,
                            environment.getProperty("semel.http.namespace", "http")));
        }

        @Bean
        @ConditionalOnMissingBean
        SemelEndpointWebExtension semelWebExtension(SemelEndpoint endpoint) {
            return new SemelEndpointWebExtension(endpoint);
        }

        /** Static, because Boot asks for advisors before it makes endpoints. */
        @Bean
        static ParameterNameCheck semelKnownNames() {
            return new ParameterNameCheck();
        }
    }
}
