// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The controllers that Boot dispatches errors to, by the name of their type, which moved in Spring Boot 4. */
public final class ErrorControllers {

    private static final ClassLoader LOADER = ErrorControllers.class.getClassLoader();

    public static boolean areIn(ListableBeanFactory beans) {
        return Stream.of(
                        "org.springframework.boot.webmvc.error.ErrorController",
                        "org.springframework.boot.web.servlet.error.ErrorController")
                .filter(type -> ClassUtils.isPresent(type, LOADER))
                .map(type -> ClassUtils.resolveClassName(type, LOADER))
                .anyMatch(type -> beans.getBeanNamesForType(type).length > 0);
    }

    private ErrorControllers() {}
}
