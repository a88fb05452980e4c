// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Attempt;
import io.semel.servlet.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Sends each request through the filter that its handler or its path asks for. */
final class GuardFilter implements Filter {

    private static final Set<String> OUTSIDE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    private final Guards guards;
    private final @Nullable Routes routes;
    private final List<PathPattern> paths;

    private final ErrorPages pages;

    GuardFilter(Guards guards, @Nullable Routes routes, List<String> paths, ErrorPages pages) {
        this.pages = pages;
        this.guards = guards;
        this.routes = routes;
        this.paths =
                paths.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)) {
            chain.doFilter(request, response);
            return;
        }
        IdempotencyFilter guard = guard(http);
        if (guard == null) {
            chain.doFilter(request, response);
        } else {
            guard.doFilter(FormBody.of(http), response, (given, answer) -> within(given, answer, chain));
        }
    }

    private @Nullable IdempotencyFilter guard(HttpServletRequest request) {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            return guards.standard().filter();
        }
        if (OUTSIDE.contains(request.getMethod())) {
            return null;
        }
        if (guards.takes(request.getRequestURI())) {
            return guards.standard().filter();
        }
        HandlerMethod handler = routes == null ? null : routes.handler(request);
        Guards.Guard guard =
                handler == null ? guards.standard() : guards.of(handler.getMethod(), handler.getBeanType());
        return guard.marked() || isCovered(request) ? guard.filter() : null;
    }

    private boolean isCovered(HttpServletRequest request) {
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        return paths.stream().anyMatch(pattern -> pattern.matches(path));
    }

    private void within(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request.getAttribute(IdempotencyFilter.ATTEMPT) instanceof Attempt attempt)) {
            chain.doFilter(request instanceof FormBody form ? form.getRequest() : request, response);
            return;
        }
        CommitWatch watch = CommitWatch.enter();
        Attempt outer = CurrentAttempt.enter(attempt);
        try {
            pages.through(request, (HttpServletResponse) response, chain);
            note(request, watch.isInDoubt(), watch);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            note(request, watch.isInDoubt(e), watch);
            throw e;
        } finally {
            CurrentAttempt.leave(outer);
            watch.leave();
        }
        if (RequestTransaction.isPresent()) {
            RequestTransaction transaction = RequestTransaction.current();
            transaction.flush();
            transaction.answered(((HttpServletResponse) response).getStatus());
        }
    }

    /** Where the record is in the transaction of the request, other transactions decide nothing about it. */
    private static void note(ServletRequest request, boolean inDoubt, CommitWatch watch) {
        if (RequestTransaction.isPresent()) {
            return;
        }
        if (inDoubt) {
            request.setAttribute(IdempotencyFilter.OUTCOME_UNKNOWN, true);
        } else if (watch.failedAfterCommit()) {
            request.setAttribute(IdempotencyFilter.CARRIED_OUT, true);
        }
    }
}
