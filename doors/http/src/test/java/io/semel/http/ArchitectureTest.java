// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses HTTP = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.semel.http");

    @Test
    void theRulesDependOnCoreSessionsAndTheJdkAlone() {
        classes()
                .that()
                .haveNameNotMatching(".*\\.(CanonicalJson|BodyKey).*")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "io.semel",
                        "io.semel.store",
                        "io.semel.time",
                        "io.semel.session",
                        "io.semel.http..",
                        "org.jspecify.annotations.."))
                .check(HTTP);
    }

    @Test
    void theRulesReadNoClockAndNeverLog() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat(resideInAnyPackage("java.util.logging.."))
                .check(HTTP);
    }

    @Test
    void publicTypesStayFew() {
        long topLevel = HTTP.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .count();

        assertThat(topLevel).isLessThanOrEqualTo(16);
    }
}
