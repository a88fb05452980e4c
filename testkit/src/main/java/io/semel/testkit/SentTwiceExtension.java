// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs a {@link SentTwice} test once for every way, each time with a sender of its own. */
final class SentTwiceExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Way[] ways = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), SentTwice.class)
                .orElseThrow()
                .value();
        return Stream.of(ways.length == 0 ? Way.values() : ways).map(Invocation::new);
    }

    private record Invocation(Way way) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int index) {
            return way.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new OneSender(Sender.of(way)));
        }
    }

    private record OneSender(Sender sender) implements ParameterResolver, AfterTestExecutionCallback {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Sender.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return sender;
        }

        /** A test that failed has said enough. */
        @Override
        public void afterTestExecution(ExtensionContext context) {
            if (context.getExecutionException().isEmpty()) {
                sender.checkUsed();
            }
        }
    }
}
