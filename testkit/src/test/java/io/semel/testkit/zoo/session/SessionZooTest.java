// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.session;

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

/** Every wrong store of sessions fails its law, and every test of the contract catches a wrong one. */
class SessionZooTest {

    @Test
    void theStoreThatWrongOnesAreMadeFromIsRight() {
        assertThat(failures(PlainSessions.class, "")).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> noWrongStorePassesItsLawAndNoTestIsIdle() {
        Set<String> useful = new TreeSet<>();
        Stream<DynamicTest> animals = Stream.of(WrongSessions.class, WrongRequests.class, WrongViews.class)
                .flatMap(theme -> Arrays.stream(theme.getDeclaredClasses()))
                .sorted(Comparator.comparing(Class::getName))
                .map(animal -> dynamicTest(animal.getSimpleName(), () -> {
                    String law = animal.getAnnotation(Breaks.class).value();
                    Set<String> failures = failures(animal.asSubclass(PlainSessions.class), law);
                    assertThat(failures)
                            .as("tests of " + law + " that catch it")
                            .isNotEmpty();
                    useful.addAll(failures);
                }));
        DynamicTest noneIdle =
                dynamicTest("noTestIsIdle", () -> assertThat(useful).containsAll(Visit.allTests(SessionCage.class)));
        return Stream.concat(animals, Stream.of(noneIdle));
    }

    private static Set<String> failures(Class<? extends PlainSessions> animal, String law) {
        SessionCage.put(animal);
        return Visit.in(SessionCage.class, law).failures();
    }
}
