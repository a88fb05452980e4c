// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** The lookup of a request's handler before Spring MVC does it, by the same mappings. */
public final class HandlerLookup {

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;

    public HandlerLookup(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        this.mappings = mappings;
    }

    /** Null where there is none, or none for this method or media type: then Spring MVC says so. */
    @Nullable
    HandlerMethod handler(HttpServletRequest request) {
        HttpServletRequest asked = new WithoutBody(request);
        if (!ServletRequestPathUtils.hasParsedRequestPath(asked)) {
            ServletRequestPathUtils.parseAndCache(asked);
        }
        return mappings.orderedStream()
                .map(mapping -> handler(mapping, asked))
                .filter(HandlerMethod.class::isInstance)
                .map(HandlerMethod.class::cast)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Object handler(RequestMappingHandlerMapping mapping, HttpServletRequest request) {
        try {
            HandlerExecutionChain chain = mapping.getHandler(request);
            return chain == null ? null : chain.getHandler();
        } catch (Exception e) {
            LoggerFactory.getLogger(HandlerLookup.class).debug("A request has no handler; Spring MVC will say why.", e);
            return null;
        }
    }

    /** A request without parameters, because reading them makes the container consume the body. */
    private static final class WithoutBody extends HttpServletRequestWrapper {

        WithoutBody(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getParameter(String name) {
            return null;
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            return null;
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            return Map.of();
        }

        @Override
        public Enumeration<String> getParameterNames() {
            return Collections.emptyEnumeration();
        }
    }
}
