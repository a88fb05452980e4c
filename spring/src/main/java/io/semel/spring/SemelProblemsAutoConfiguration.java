// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.spring.internal.http.NotDoneAdvice;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** The auto-configuration of problem details, rather than a 500, for {@link Idempotent} methods that were called in vain. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(ControllerAdvice.class)
@ConditionalOnBooleanProperty(name = "semel.problem-details", matchIfMissing = true)
public class SemelProblemsAutoConfiguration {

    @Bean
    NotDoneAdvice semelNotDoneAdvice(Environment environment) {
        return new NotDoneAdvice(environment.getProperty("semel.http.problem-base", "urn:semel:problem:"));
    }
}
