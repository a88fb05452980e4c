// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.setup;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** The check that refuses older versions of Spring Boot, before single beans fail with misleading messages. */
public final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final int OLDEST = 4;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    public static void check(@Nullable String version) {
        if (version != null && Integer.parseInt(version.split("[^0-9]", 2)[0]) < OLDEST) {
            throw new InvalidSetup(
                    "semel-spring-boot-starter requires Spring Boot 4; this application uses " + version + ".",
                    "Upgrade to Spring Boot 4.1 or later. On Spring Boot 3, use semel-core with a store, or"
                            + " semel-servlet with a filter bean of your own, instead of the starter.");
        }
    }
}
