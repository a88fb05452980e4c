// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.http;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs the test of a case once, with an {@link HttpBench}, or not at all where the door leaves it out. */
final class CaseRuns implements TestTemplateInvocationContextProvider, ParameterResolver {

    private static final Namespace BENCHES = Namespace.create(CaseRuns.class);

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method test = context.getRequiredTestMethod();
        boolean runs = contract(context).coverage().runs(test.getName());
        return runs ? Stream.of(new Named(name(test))) : Stream.empty();
    }

    private static String name(Method test) {
        String numbers = Arrays.stream(test.getAnnotation(Case.class).value())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return numbers + ": "
                + test.getName()
                        .replaceAll("(?<=[a-zA-Z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])", " ")
                        .toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == HttpBench.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        HttpSetting setting =
                context.getRequiredTestMethod().getAnnotation(Case.class).on();
        return context.getStore(BENCHES)
                .computeIfAbsent(
                        HttpBench.class, type -> new HttpBench(contract(context).servers(), setting), HttpBench.class);
    }

    static HttpContract contract(ExtensionContext context) {
        return (HttpContract) context.getRequiredTestInstance();
    }

    private record Named(String name) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocation) {
            return name;
        }
    }
}
