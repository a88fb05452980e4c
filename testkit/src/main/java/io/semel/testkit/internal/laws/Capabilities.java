// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Lets a test run once where the store has the capability that it takes as a parameter, and not exist where it has not. */
public final class Capabilities implements TestTemplateInvocationContextProvider {

    public static final List<Class<?>> ALL = List.of(Inspectable.class, Purgeable.class);

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
        List<Class<?>> wanted = Arrays.asList(context.getRequiredTestMethod().getParameterTypes());
        List<Class<?>> had = Capabilities.of(context);
        boolean capable = ALL.stream().filter(wanted::contains).allMatch(had::contains);
        return capable ? Stream.of(new Named(context.getDisplayName())) : Stream.empty();
    }

    private static List<Class<?>> of(ExtensionContext context) {
        Backend.Owner contract = (Backend.Owner) context.getRequiredTestInstance();
        ExtensionContext ofClass = context.getParent().orElseThrow();
        return ofClass.getStore(Namespace.create(Capabilities.class))
                .computeIfAbsent(ALL, all -> of(contract), Had.class)
                .capabilities;
    }

    private static Had of(Backend.Owner contract) {
        try (Bench bench = new Bench(contract.backend())) {
            return new Had(of(bench.store()));
        }
    }

    public static List<Class<?>> of(Store store) {
        return ALL.stream().filter(capability -> capability.isInstance(store)).toList();
    }

    private record Had(List<Class<?>> capabilities) {}

    private record Named(String name) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocation) {
            return name;
        }
    }
}
