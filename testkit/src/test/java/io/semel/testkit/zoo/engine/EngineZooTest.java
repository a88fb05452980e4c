// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.semel.testkit.internal.laws.Law;
import io.semel.testkit.zoo.Breaks;
import io.semel.testkit.zoo.Visit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.commons.support.ReflectionSupport;

/** Every wrong engine fails its rule, every rule has a wrong engine, and every test of a rule catches one. */
class EngineZooTest {

    private static final List<String> RULES =
            IntStream.rangeClosed(1, 13).mapToObj(number -> "E" + number).toList();

    private static List<Class<?>> wrongEngines() {
        return Arrays.stream(WrongEngines.class.getDeclaredClasses())
                .filter(Wrong.class::isAssignableFrom)
                .toList();
    }

    @Test
    void everyRuleHasATestAndAWrongEngine() {
        assertThat(Arrays.stream(EngineContract.class.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Law.class))
                        .flatMap(method ->
                                Arrays.stream(method.getAnnotation(Law.class).value())))
                .containsAll(RULES);
        assertThat(wrongEngines())
                .extracting(engine -> engine.getAnnotation(Breaks.class).value())
                .containsAll(RULES);
    }

    @TestFactory
    Stream<DynamicTest> noWrongEnginePassesItsRuleAndNoTestIsIdle() {
        Set<String> useful = new TreeSet<>();
        Stream<DynamicTest> engines = wrongEngines().stream()
                .map(engine -> dynamicTest(engine.getSimpleName(), () -> {
                    EngineCage.put((Wrong) ReflectionSupport.newInstance(engine));
                    String rule = engine.getAnnotation(Breaks.class).value();
                    Set<String> failures = Visit.in(EngineCage.class, rule).failures();
                    assertThat(failures)
                            .as("tests of " + rule + " that catch it")
                            .isNotEmpty();
                    useful.addAll(failures);
                }));
        DynamicTest noneIdle = dynamicTest(
                "noTestIsIdle",
                () -> assertThat(useful)
                        .containsAll(Arrays.stream(EngineContract.class.getDeclaredMethods())
                                .filter(method -> method.isAnnotationPresent(Law.class))
                                .map(method -> method.getName())
                                .toList()));
        return Stream.concat(engines, Stream.of(noneIdle));
    }
}
