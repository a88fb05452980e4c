// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.platform.commons.support.AnnotationSupport;

/** Shows a test as the sentence that its name is, after the numbers of its laws. */
public final class LawNames extends DisplayNameGenerator.Standard {

    @Override
    public String generateDisplayNameForMethod(List<Class<?>> enclosing, Class<?> type, Method method) {
        return AnnotationSupport.findAnnotation(method, Law.class)
                .map(law -> String.join(" ", law.value()) + ": " + sentence(method.getName()))
                .orElseGet(() -> super.generateDisplayNameForMethod(enclosing, type, method));
    }

    private static String sentence(String name) {
        return name.replaceAll("(?<=[a-zA-Z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
