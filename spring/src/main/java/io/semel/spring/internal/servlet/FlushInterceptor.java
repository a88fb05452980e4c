// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.spring.internal.transaction.RequestTransaction;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * The interceptor that flushes JPA while exceptions still become answers: without the filter's transaction, JPA would have flushed
 * at the end of the handler's own.
 */
public final class FlushInterceptor implements HandlerInterceptor {

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView view) {
        if (RequestTransaction.isPresent()) {
            RequestTransaction.current().flush();
        }
    }
}
