// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.semel.testkit.internal.laws.Law;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** A contract, run on one store of a zoo. */
public final class Visit {

    private final Events events;

    private Visit(Events events) {
        this.events = events;
    }

    static Visit to(Class<? extends PlainStore> animal) {
        return visit(animal, method -> true);
    }

    /** With the tests of one law only. */
    static Visit to(Class<? extends PlainStore> animal, String law) {
        return visit(animal, method -> laws(method).contains(law));
    }

    private static Visit visit(Class<? extends PlainStore> animal, Predicate<Method> wanted) {
        Cage.put(animal);
        return in(Cage.class, wanted);
    }

    /** With the tests of one law only, on what the cage holds now; of all laws where it is empty. */
    public static Visit in(Class<?> cage, String law) {
        return in(cage, method -> law.isEmpty() || laws(method).contains(law));
    }

    private static Visit in(Class<?> cage, Predicate<Method> wanted) {
        return new Visit(EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(cage))
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(
                        method(test).map(wanted::test).findFirst().orElse(true)))
                .configurationParameter("semel.laws.directory", "")
                .execute()
                .testEvents());
    }

    /** The names of all tests that the contract has for a store that can do everything. */
    static Set<String> allTests() {
        return allTests(Cage.class);
    }

    public static Set<String> allTests(Class<?> cage) {
        return Arrays.stream(cage.getMethods())
                .filter(method -> !laws(method).isEmpty())
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Set<String> tests() {
        return names(events.started());
    }

    public Set<String> failures() {
        return names(events.failed());
    }

    private static Set<String> names(Events events) {
        return events.stream()
                .map(Event::getTestDescriptor)
                .flatMap(Visit::method)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> laws(Method method) {
        Law law = method.getAnnotation(Law.class);
        return law == null ? List.of() : List.of(law.value());
    }

    private static Stream<Method> method(TestDescriptor test) {
        return test.getSource().stream()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod());
    }
}
