// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.semel.testkit.internal.laws.Race;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every wrong store fails its law, and every test of the contract catches a wrong store. */
class ZooTest {

    /** What waits for ever is found out as surely after a second, and there are many that do. */
    @BeforeAll
    static void wantAnswersSooner() {
        System.setProperty(Race.SOON, "1000");
    }

    @AfterAll
    static void wantAnswersAsSoonAsEver() {
        System.clearProperty(Race.SOON);
    }

    @Test
    void theStoresThatWrongOnesAreMadeFromAreRight() {
        assertThat(Visit.to(PlainStore.class).failures()).isEmpty();
        assertThat(Visit.to(InspectableStore.class).failures()).isEmpty();
    }

    @Test
    void aStoreThatCannotBeInspectedHasNoTestsOfInspection() {
        Set<String> plain = Visit.to(PlainStore.class).tests();
        Set<String> inspectable = Visit.to(InspectableStore.class).tests();

        assertThat(inspectable).containsAll(plain).isEqualTo(Visit.allTests());
        assertThat(plain).doesNotContain("lookingAtAHeldSlotShowsItsHolder", "countsAgreeWithPages");
    }

    @TestFactory
    Stream<DynamicTest> noWrongStorePassesItsLawAndNoTestIsIdle() {
        Set<String> useful = new TreeSet<>();
        Stream<DynamicTest> animals = Zoo.animals().stream()
                .map(animal -> dynamicTest(animal.getSimpleName(), () -> {
                    String law = animal.getAnnotation(Breaks.class).value();
                    Set<String> failures = Visit.to(animal, law).failures();
                    assertThat(failures)
                            .as("tests of " + law + " that catch it")
                            .isNotEmpty();
                    useful.addAll(failures);
                }));
        DynamicTest noneIdle =
                dynamicTest("noTestIsIdle", () -> assertThat(useful).containsAll(Visit.allTests()));
        return Stream.concat(animals, Stream.of(noneIdle));
    }
}
