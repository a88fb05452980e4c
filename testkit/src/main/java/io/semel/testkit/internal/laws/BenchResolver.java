// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives every test a {@link Bench} of its own, closed after the test, and the capabilities of the store on it. */
public final class BenchResolver implements ParameterResolver {

    private static final Namespace BENCHES = Namespace.create(BenchResolver.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Bench.class || Capabilities.ALL.contains(type);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Bench bench = bench(context);
        return parameter.getParameter().getType() == Bench.class ? bench : bench.store();
    }

    private static Bench bench(ExtensionContext context) {
        Backend.Owner contract = (Backend.Owner) context.getRequiredTestInstance();
        return context.getStore(BENCHES)
                .computeIfAbsent(Bench.class, type -> new Bench(contract.backend()), Bench.class);
    }
}
