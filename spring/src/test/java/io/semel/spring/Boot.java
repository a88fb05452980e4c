// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ClassUtils;

/** Boot's auto-configurations by their simple names: versions 4 and 3, on which these tests run, have them in different packages. */
final class Boot {

    private static final List<String> PACKAGES = List.of(
            "jackson.autoconfigure",
            "jdbc.autoconfigure",
            "transaction.autoconfigure",
            "data.redis.autoconfigure",
            "webmvc.autoconfigure",
            "health.autoconfigure.contributor",
            "health.autoconfigure.registry",
            "micrometer.metrics.autoconfigure",
            "micrometer.metrics.autoconfigure.export.simple",
            "micrometer.observation.autoconfigure",
            "autoconfigure.aop",
            "autoconfigure.jackson",
            "autoconfigure.jdbc",
            "autoconfigure.transaction",
            "autoconfigure.data.redis",
            "autoconfigure.sql.init",
            "autoconfigure.web.servlet",
            "actuate.autoconfigure.health",
            "actuate.autoconfigure.metrics",
            "actuate.autoconfigure.metrics.export.simple",
            "actuate.autoconfigure.observation");

    /** For {@code spring.autoconfigure.exclude}, which passes over names of classes that are not there. */
    static final String DATABASE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration";

    static final String SECURITY = "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration,"
            + "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration";

    static final String REACTIVE_SECURITY = "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration,"
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration,"
            + "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration,"
            + "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration";

    /** Of names with alternatives, such as {@code DataRedis|Redis}, the first that is there. */
    static AutoConfigurations auto(String... names) {
        return AutoConfigurations.of(Arrays.stream(names).map(Boot::type).toArray(Class<?>[]::new));
    }

    private static Class<?> type(String alternatives) {
        return Arrays.stream(alternatives.split("\\|", -1))
                .flatMap(name -> PACKAGES.stream()
                        .map(each -> "org.springframework.boot." + each + "." + name + "AutoConfiguration"))
                .filter(name -> ClassUtils.isPresent(name, Boot.class.getClassLoader()))
                .findFirst()
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, Boot.class.getClassLoader()))
                .orElseThrow(() -> new AssertionError(
                        alternatives + " is in none of " + PACKAGES.stream().collect(Collectors.joining(", "))));
    }

    private Boot() {}
}
