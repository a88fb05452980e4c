// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Refuses a Spring Boot that the starter is not made for, before its parts fail one by one with messages about something else. */
final class BootVersion implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int OLDEST = 4;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    static void check(@Nullable String version) {
        if (version != null && Integer.parseInt(version.split("[^0-9]", 2)[0]) < OLDEST) {
            throw new Misuse(
                    "semel-spring-boot-starter is made for Spring Boot 4, and this application has " + version + ".",
                    "Use Spring Boot 4.1 or later. With Spring Boot 3 leave the starter out, and use semel-core with"
                            + " a store, or semel-servlet with a filter bean of your own.");
        }
    }
}
