// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Every wrong door fails the case that it breaks. */
class HttpZooTest {

    @Test
    void theDoorThatWrongOnesAreMadeFromIsRight() {
        Events events = run(null, method -> true);

        assertThat(names(events.failed())).isEmpty();
        assertThat(events.succeeded().count()).isGreaterThan(60);
    }

    @TestFactory
    Stream<DynamicTest> noWrongDoorPassesItsCase() {
        return Arrays.stream(Fault.values())
                .map(fault -> dynamicTest(fault.name(), () -> {
                    Events events = run(fault, test -> isAbout(test, fault.breaks()));

                    assertThat(names(events.failed()))
                            .as("tests of case " + fault.breaks() + " that catch it")
                            .isNotEmpty();
                }));
    }

    private static boolean isAbout(Method test, int number) {
        Case numbers = test.getAnnotation(Case.class);
        return numbers != null && IntStream.of(numbers.value()).anyMatch(each -> each == number);
    }

    private static Events run(Fault fault, Predicate<Method> wanted) {
        PlainContract.choose(fault);
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(PlainContract.class))
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(
                        method(test).map(wanted::test).findFirst().orElse(true)))
                .configurationParameter("semel.http-contract.directory", "")
                .execute()
                .testEvents();
    }

    private static Set<String> names(Events events) {
        return events.stream()
                .map(Event::getTestDescriptor)
                .flatMap(HttpZooTest::method)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Method> method(TestDescriptor test) {
        return test.getSource().stream()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod());
    }
}
