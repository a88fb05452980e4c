// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses HTTP = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.semel.http");

    @Test
    void theRulesDependOnCoreSessionsAndTheJdkAlone() {
        classes()
                .that()
                .haveNameNotMatching(".*\\.(CanonicalJson|EventId).*")
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
    void packagesAreByConcernAndUseEachOtherInNoCircle() {
        slices().matching("io.semel.http.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(HTTP);
        noClasses()
                .that()
                .resideInAPackage("io.semel.http.internal..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(HttpIdempotency.class, HttpRules.class, Problems.class)
                .check(HTTP);
    }

    @Test
    void packagesStaySmall() {
        Map<String, Long> types = HTTP.stream()
                .filter(type -> type.getEnclosingClass().isEmpty()
                        && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(types.values()).allMatch(count -> count <= 25);
    }

    @Test
    void publicTypesStayFew() {
        long topLevel = HTTP.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .filter(type -> type.getPackageName().equals("io.semel.http"))
                .count();

        assertThat(topLevel).isLessThanOrEqualTo(17);
    }
}
