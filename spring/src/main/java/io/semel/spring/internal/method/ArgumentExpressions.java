// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.spring.internal.setup.InvalidSetup;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The parser of expressions over the arguments of a method; it refuses references to unknown variables. */
final class ArgumentExpressions {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final SpelExpressionParser parser = new SpelExpressionParser(
            new SpelParserConfiguration(SpelCompilerMode.MIXED, ArgumentExpressions.class.getClassLoader()));
    private final BeanFactoryResolver beans;

    ArgumentExpressions(BeanFactory beans) {
        this.beans = new BeanFactoryResolver(beans);
    }

    /** A parsed expression of one method. */
    interface Compiled {

        @Nullable
        Object value(@Nullable Object[] arguments);
    }

    Compiled read(Method method, String attribute, String text) {
        SpelExpression expression = parse(method, attribute, text);
        Set<String> known = names(method);
        check(method, attribute, text, expression.getAST(), known);
        return arguments -> {
            var context = new MethodBasedEvaluationContext(new Object(), method, arguments, NAMES);
            context.setBeanResolver(beans);
            return expression.getValue(context);
        };
    }

    private SpelExpression parse(Method method, String attribute, String text) {
        try {
            return parser.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw new InvalidSetup(
                    "The " + attribute + " of @Idempotent on " + IdempotentMethods.name(method)
                            + " is not a valid expression: " + text + ": " + e.getMessage() + ".",
                    "Write a Spring expression, such as #order.id.",
                    e);
        }
    }

    private static Set<String> names(Method method) {
        Set<String> names = new HashSet<>(Set.of("root", "this"));
        @Nullable String[] parameters = NAMES.getParameterNames(method);
        if (parameters != null) {
            Arrays.stream(parameters).filter(Objects::nonNull).forEach(names::add);
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            names.add("a" + i);
            names.add("p" + i);
        }
        return names;
    }

    /** An unknown variable would be null in every call, so that all calls would share one key. */
    private static void check(Method method, String attribute, String text, SpelNode node, Set<String> known) {
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            if (!known.contains(name)) {
                throw new InvalidSetup(
                        "The " + attribute + " of @Idempotent on " + IdempotentMethods.name(method) + ", " + text
                                + ", refers to #" + name + ", which is not a parameter.",
                        "Name a parameter, or use #p0 for the first one. Parameter names are available in code"
                                + " compiled with -parameters.");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(method, attribute, text, node.getChild(i), known);
        }
    }
}
