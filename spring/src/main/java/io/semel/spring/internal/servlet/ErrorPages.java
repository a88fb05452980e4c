// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The error pages of the application, made while they can still be recorded. The container would make them after the filter has
 * returned, when the answer is settled.
 *
 * @param path where errors are dispatched to; null if the application has no such place
 */
public record ErrorPages(@Nullable String path) {

    void through(ServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestDispatcher page = path == null ? null : request.getRequestDispatcher(path);
        if (page == null) {
            chain.doFilter(request, response);
            return;
        }
        Pending pending = new Pending(response);
        chain.doFilter(request, pending);
        if (pending.status != 0 && !request.isAsyncStarted()) {
            expose((HttpServletRequest) request, pending);
            response.resetBuffer();
            response.setStatus(pending.status);
            page.forward(request, response);
        }
    }

    /** What the container says to the place that errors are dispatched to. */
    private static void expose(HttpServletRequest request, Pending pending) {
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, pending.status);
        request.setAttribute(RequestDispatcher.ERROR_MESSAGE, pending.message == null ? "" : pending.message);
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
    }

    /** Keeps an error to itself until the handler has ended. */
    private static final class Pending extends HttpServletResponseWrapper {

        private int status;
        private @Nullable String message;

        Pending(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void sendError(int code) {
            sendError(code, null);
        }

        @Override
        public void sendError(int code, @Nullable String why) {
            if (isCommitted()) {
                throw new IllegalStateException("The response is already determined.");
            }
            status = code;
            message = why;
            setStatus(code);
        }

        @Override
        public boolean isCommitted() {
            return status != 0 || super.isCommitted();
        }
    }
}
