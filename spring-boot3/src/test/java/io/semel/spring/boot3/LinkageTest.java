// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.core.SpringVersion;

/** The starter and the doors, as they were compiled against Spring Boot 4, on the class path of Spring Boot 3.5. */
class LinkageTest {

    /** Named by configurations that are conditional on them, and by nothing else. */
    private static final Pattern OF_BOOT_4 = Pattern.compile(
            "org\\.springframework\\.boot\\.health\\.(contributor|autoconfigure\\.contributor)\\.\\w+(\\$\\w+)?");

    private static final JavaClasses SEMEL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.semel.spring", "io.semel.servlet", "io.semel.webflux", "io.semel.observe");

    @Test
    void theseAreTheVersionsThatAreMeant() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");
    }

    @Test
    void whateverIsCalledIsThere() {
        Set<String> missing = new TreeSet<>();
        for (JavaClass each : SEMEL) {
            for (JavaAccess<?> access : each.getAccessesFromSelf()) {
                String owner = access.getTargetOwner().getName();
                if (owner.startsWith("org.springframework.")
                        && !OF_BOOT_4.matcher(owner).matches()
                        && access.getTarget().resolveMember().isEmpty()) {
                    missing.add(each.getName() + " uses " + access.getTarget().getFullName());
                }
            }
        }
        assertThat(missing)
                .as("those of Spring 7 that are called there alone")
                .containsExactly(
                        "io.semel.webflux.Fields uses org.springframework.http.HttpHeaders.get(java.lang.String)",
                        "io.semel.webflux.Fields uses org.springframework.http.HttpHeaders.remove(java.lang.String)");
    }

    @Test
    void onlyTheConditionalConfigurationOfHealthNamesTypesOfBoot4() {
        Set<String> users = new TreeSet<>();
        for (JavaClass each : SEMEL) {
            each.getDirectDependenciesFromSelf().forEach(dependency -> {
                if (OF_BOOT_4.matcher(dependency.getTargetClass().getName()).matches()) {
                    users.add(each.getName().replaceAll("\\$\\d+$", ""));
                }
            });
        }
        assertThat(users).containsExactly("io.semel.spring.SemelActuatorAutoConfiguration$HealthConfiguration");
    }
}
