// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

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

/** Reads expressions over the arguments of a method, once, and refuses those that name something that is not there. */
final class Expressions {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final SpelExpressionParser parser = new SpelExpressionParser(
            new SpelParserConfiguration(SpelCompilerMode.MIXED, Expressions.class.getClassLoader()));
    private final BeanFactoryResolver beans;

    Expressions(BeanFactory beans) {
        this.beans = new BeanFactoryResolver(beans);
    }

    /** An expression of a method, ready to be asked. */
    interface Over {

        @Nullable
        Object value(@Nullable Object[] arguments);
    }

    Over read(Method method, String attribute, String text) {
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
            throw new Misuse(
                    "The " + attribute + " of @Idempotent on " + Methods.name(method) + " is no expression: " + text
                            + ": " + e.getMessage() + ".",
                    "Write it in Spring's expression language, such as #order.id.",
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

    /** An unknown variable would be null in every call, so that all of them had one key. */
    private static void check(Method method, String attribute, String text, SpelNode node, Set<String> known) {
        if (node instanceof VariableReference variable) {
            String name = variable.toStringAST().substring(1);
            if (!known.contains(name)) {
                throw new Misuse(
                        "The " + attribute + " of @Idempotent on " + Methods.name(method) + ", " + text + ", names #"
                                + name + ", which is no parameter.",
                        "Name a parameter, or use #p0 for the first one; names are there in code compiled with -parameters.");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(method, attribute, text, node.getChild(i), known);
        }
    }
}
