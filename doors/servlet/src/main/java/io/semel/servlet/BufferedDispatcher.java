// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Forwards so that what was written before is dropped, and what comes is held back, in every container. */
record BufferedDispatcher(RequestDispatcher dispatcher) implements RequestDispatcher {

    /** Some containers reset only their own response, and some close it behind every wrapper that they can look into. */
    @Override
    public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        response.resetBuffer();
        dispatcher.forward(request, response instanceof HttpServletResponse http ? opaque(http) : response);
    }

    @Override
    public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        dispatcher.include(request, response);
    }

    private static HttpServletResponse opaque(HttpServletResponse response) {
        return (HttpServletResponse) Proxy.newProxyInstance(
                HttpServletResponse.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(response, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
