// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.Listener;
import io.semel.http.HttpRules;
import io.semel.spring.SemelHttpProperties;
import io.semel.spring.SemelProperties;
import io.semel.spring.SemelSessionsProperties;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.spring.internal.store.EngineSecrets;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that servlet and reactive applications share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({SemelHttpProperties.class, SemelSessionsProperties.class})
public class HttpConfiguration {

    @Bean
    @ConditionalOnMissingBean
    HttpRules semelHttpRules(SemelHttpProperties settings) {
        return ConfiguredHttpRules.of(settings);
    }

    @Bean
    @ConditionalOnBooleanProperty("semel.sessions.enabled")
    ApplicationSessions semelSessions(
            ObjectProvider<ApplicationStore> store,
            ObjectProvider<Listener> listeners,
            SemelProperties general,
            SemelSessionsProperties settings,
            ListableBeanFactory beans,
            EngineSecrets secrets,
            BasePath base) {
        return ApplicationSessions.open(
                store.getIfAvailable(),
                general,
                settings,
                listeners.orderedStream().toList(),
                secrets,
                beans,
                base.value());
    }
}
