// SPDX-License-Identifier: Apache-2.0
package io.semel;

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
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.semel");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.semel.(**)").should().beFreeOfCycles().check(CORE);
        noClasses()
                .that()
                .resideInAPackage("io.semel")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.semel.memory..")
                .check(CORE);
    }

    @Test
    void coreDependsOnNothingButTheJdk() {
        classes()
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "javax.crypto..", "io.semel..", "org.jspecify.annotations.."))
                .check(CORE);
    }

    @Test
    void coreNeverLogs() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.logging..", "java.lang.System$Logger"))
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(CORE);
    }

    @Test
    void coreReadsTheWallClockOnlyToMakeKeysAndToNameTheBirthOfAMemoryStore() {
        noClasses()
                .that()
                .doNotHaveSimpleName("KeyTime")
                .and()
                .doNotHaveSimpleName("MemoryStore")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.time.Clock")
                .check(CORE);
    }

    @Test
    void internalsAreForCoreAlone() {
        noClasses()
                .that()
                .resideInAPackage("io.semel.memory..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.semel.internal..")
                .check(CORE);
    }

    @Test
    void callersImportFewTypes() {
        assertThat(publicTypes("io.semel")).hasSizeLessThanOrEqualTo(25);
        assertThat(publicTypes("io.semel.store")).hasSizeLessThanOrEqualTo(10);
    }

    private static List<String> publicTypes(String room) {
        return CORE.stream()
                .filter(type -> type.getPackageName().equals(room))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .map(JavaClass::getSimpleName)
                .filter(name -> !name.equals("package-info"))
                .toList();
    }
}
