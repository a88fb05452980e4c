// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Caller;
import io.semel.http.Request;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A servlet request as the rules see it. */
record RequestAdapter(HttpServletRequest request, CallerResolver callers) implements Request {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return request.getRequestURI();
    }

    @Override
    public @Nullable String query() {
        return request.getQueryString();
    }

    @Override
    public List<String> headers(String name) {
        Enumeration<String> lines = request.getHeaders(name);
        return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
    }

    @Override
    public Caller caller() {
        return callers.of(request);
    }
}
