// SPDX-License-Identifier: Apache-2.0
package io.semel.client;

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
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.semel.client");

    @Test
    void theClientDependsOnCoreAndTheJdkAlone() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "javax.net.ssl..",
                        "io.semel",
                        "io.semel.time",
                        "io.semel.client..",
                        "org.jspecify.annotations.."))
                .check(CLIENT);
    }

    @Test
    void theClientNeverLogsAndNeverSleeps() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.logging.."))
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLIENT);
    }

    @Test
    void packagesAreByConcernAndUseEachOtherInNoCircle() {
        slices().matching("io.semel.client.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLIENT);
    }

    @Test
    void packagesStaySmall() {
        Map<String, Long> types = CLIENT.stream()
                .filter(type -> type.getEnclosingClass().isEmpty()
                        && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(types.values()).allMatch(count -> count <= 25);
    }

    @Test
    void publicTypesStayFew() {
        long topLevel = CLIENT.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .filter(type -> type.getPackageName().equals("io.semel.client"))
                .count();

        assertThat(topLevel).isLessThanOrEqualTo(13);
    }
}
