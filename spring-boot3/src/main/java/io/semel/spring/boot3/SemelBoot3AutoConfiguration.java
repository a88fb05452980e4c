// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.boot3;

import io.semel.spring.SemelAutoConfiguration;
import io.semel.spring.internal.store.ApplicationStore;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The auto-configuration of what Spring Boot 3 has in other packages than Spring Boot 4: health. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
public class SemelBoot3AutoConfiguration {

    /** Whether the store can be asked. */
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
}
