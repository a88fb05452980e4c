// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.semel.testkit.zoo.Breaks;
import io.semel.testkit.zoo.Visit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** All wrong producers fail their law, and every test of the contract catches some of them. */
class ProducerZooTest {

    @Test
    void thoseThatWrongOnesAreMadeFromAreRight() {
        assertThat(failures(PlainProducers.class, "")).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> noneOfTheWrongPassesItsLawAndNoTestIsIdle() {
        Set<String> useful = new TreeSet<>();
        Stream<DynamicTest> animals = Arrays.stream(WrongProducers.class.getDeclaredClasses())
                .sorted(Comparator.comparing(Class::getName))
                .map(animal -> dynamicTest(animal.getSimpleName(), () -> {
                    String law = animal.getAnnotation(Breaks.class).value();
                    Set<String> failures = failures(animal.asSubclass(PlainProducers.class), law);
                    assertThat(failures)
                            .as("tests of " + law + " that catch it")
                            .isNotEmpty();
                    useful.addAll(failures);
                }));
        DynamicTest noneIdle =
                dynamicTest("noTestIsIdle", () -> assertThat(useful).containsAll(Visit.allTests(ProducerCage.class)));
        return Stream.concat(animals, Stream.of(noneIdle));
    }

    private static Set<String> failures(Class<? extends PlainProducers> animal, String law) {
        ProducerCage.put(animal);
        return Visit.in(ProducerCage.class, law).failures();
    }
}
