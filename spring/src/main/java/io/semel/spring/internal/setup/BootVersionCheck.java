// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.setup;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * The check that refuses a version of Spring Boot that the starter is not for, before single beans fail with misleading messages.
 */
public final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final String FOR_BOOT_3 = "io.semel.spring.boot3.SemelBoot3AutoConfiguration";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(
                SpringBootVersion.getVersion(),
                ClassUtils.isPresent(FOR_BOOT_3, BootVersionCheck.class.getClassLoader()));
    }

    public static void check(@Nullable String version, boolean forBoot3) {
        if (version == null) {
            return;
        }
        String[] parts = version.split("[^0-9]", -1);
        int major = Integer.parseInt(parts[0]);
        int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
        if (major < 3 || (major == 3 && minor < 5)) {
            throw new InvalidSetup(
                    "Semel's starters require Spring Boot 3.5 or 4; this application uses " + version + ".",
                    "Upgrade Spring Boot, or use semel-core with a store, or semel-servlet with a filter bean of your"
                            + " own, instead of a starter.");
        }
        if (major == 3 && !forBoot3) {
            throw new InvalidSetup(
                    "semel-spring-boot-starter is for Spring Boot 4; this application uses " + version + ".",
                    "Replace it by semel-spring-boot3-starter.");
        }
        if (major > 3 && forBoot3) {
            throw new InvalidSetup(
                    "semel-spring-boot3-starter is for Spring Boot 3.5; this application uses " + version + ".",
                    "Replace it by semel-spring-boot-starter.");
        }
    }
}
