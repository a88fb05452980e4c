// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which tests of the contract a door runs, and why not the others. */
final class Coverage {

    static final String TESTED = "✓";
    static final String IN_PART = "in part";
    static final String OUT = "–";
    static final String RULES = "rules alone";

    private static final String NO_TRANSACTION = "there is no transaction that a handler and its record share";
    private static final String NO_LEASE = "a record in the handler's transaction has no lease";

    private final Map<String, Case> tests = new TreeMap<>();
    private final Map<String, String> out = new TreeMap<>();
    private final List<String> mistakes = new ArrayList<>();

    Coverage(Class<?> contract, boolean joined, LeftOut leftOut) {
        for (Method method : contract.getMethods()) {
            Case test = method.getAnnotation(Case.class);
            if (test != null) {
                tests.put(method.getName(), test);
                String reason = reason(method.getName(), test, joined, leftOut.reasons());
                if (reason != null) {
                    out.put(method.getName(), reason);
                }
            }
        }
        leftOut.reasons().keySet().stream()
                .filter(each -> !isKnown(each))
                .forEach(each -> mistakes.add("The contract has no " + each + ", which is left out."));
        HttpCase.all()
                .filter(each -> each.isOnTheWire() && of(each).isEmpty())
                .forEach(each ->
                        mistakes.add("Case " + each.number() + " has neither a test nor a reason to be left out."));
    }

    private static @Nullable String reason(String name, Case test, boolean joined, Map<Object, String> reasons) {
        if (test.where() == Case.Where.JOINED && !joined) {
            return NO_TRANSACTION;
        }
        if (test.where() == Case.Where.LEASED && joined) {
            return NO_LEASE;
        }
        String byNumber =
                IntStream.of(test.value()).allMatch(reasons::containsKey) ? reasons.get(test.value()[0]) : null;
        return Stream.of(reasons.get(name), reasons.get(test.on()), byNumber)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private boolean isKnown(Object leftOut) {
        return tests.keySet().stream().anyMatch(leftOut::equals)
                || tests.values().stream().anyMatch(test -> leftOut.equals(test.on()) || has(test, leftOut));
    }

    private static boolean has(Case test, Object number) {
        return IntStream.of(test.value()).boxed().anyMatch(number::equals);
    }

    private Collection<String> of(HttpCase of) {
        return tests.entrySet().stream()
                .filter(test -> has(test.getValue(), of.number()))
                .map(Map.Entry::getKey)
                .toList();
    }

    boolean runs(String test) {
        return !out.containsKey(test);
    }

    /** What keeps this from being a whole account of all cases. */
    List<String> mistakes() {
        return mistakes;
    }

    /** What a table says about a case. */
    String cell(HttpCase of) {
        if (!of.isOnTheWire()) {
            return RULES;
        }
        long running = of(of).stream().filter(this::runs).count();
        return running == of(of).size() ? TESTED : running > 0 ? IN_PART : OUT;
    }

    /** Why some tests of a case, or all, are left out. */
    Set<String> reasons(HttpCase of) {
        return of(of).stream().filter(out::containsKey).map(out::get).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Every reason, with the numbers of the cases that have it. */
    List<String> reasons() {
        Map<String, Set<Integer>> numbers = new TreeMap<>();
        HttpCase.all()
                .forEach(each -> reasons(each)
                        .forEach(reason -> numbers.computeIfAbsent(reason, unused -> new TreeSet<>())
                                .add(each.number())));
        return numbers.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        (a, b) -> a.iterator().next() - b.iterator().next()))
                .map(each -> each.getValue().stream().map(String::valueOf).collect(Collectors.joining(", ")) + ": "
                        + each.getKey() + ".")
                .toList();
    }

    static int[] numbers(Method test) {
        Case annotation = test.getAnnotation(Case.class);
        return annotation == null ? new int[0] : Arrays.copyOf(annotation.value(), annotation.value().length);
    }
}
