// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.Attempt;
import io.semel.servlet.IdempotencyFilter;
import io.semel.spring.internal.http.RouteFilter;
import io.semel.spring.internal.http.RouteRegistry;
import io.semel.spring.internal.method.AttemptHolder;
import io.semel.spring.internal.transaction.CommitFailures;
import io.semel.spring.internal.transaction.CommitWatch;
import io.semel.spring.internal.transaction.RequestTransaction;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.ServletRequestPathUtils;

/** The filter that sends each request through the idempotency filter of its route. */
public final class RoutingFilter implements Filter {

    private final RouteRegistry<IdempotencyFilter> routes;
    private final @Nullable HandlerLookup handlers;
    private final ErrorPages pages;

    public RoutingFilter(RouteRegistry<IdempotencyFilter> routes, @Nullable HandlerLookup handlers, ErrorPages pages) {
        this.routes = routes;
        this.handlers = handlers;
        this.pages = pages;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http)) {
            chain.doFilter(request, response);
            return;
        }
        IdempotencyFilter filter = filter(http);
        if (filter == null) {
            chain.doFilter(request, response);
        } else {
            filter.doFilter(FormRequest.of(http), response, (given, answer) -> within(given, answer, chain));
        }
    }

    private @Nullable IdempotencyFilter filter(HttpServletRequest request) {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            return routes.standard().filter();
        }
        if (RouteRegistry.isWithoutEffect(request.getMethod())) {
            return null;
        }
        if (routes.isForSessions(request.getRequestURI())) {
            return routes.standard().filter();
        }
        HandlerMethod handler = handlers == null ? null : handlers.handler(request);
        RouteFilter<IdempotencyFilter> route =
                handler == null ? routes.standard() : routes.of(handler.getMethod(), handler.getBeanType());
        return route.marked() || isCovered(request) ? route.filter() : null;
    }

    private boolean isCovered(HttpServletRequest request) {
        return routes.covers(ServletRequestPathUtils.parse(request).pathWithinApplication());
    }

    private void within(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request.getAttribute(IdempotencyFilter.ATTEMPT) instanceof Attempt attempt)) {
            chain.doFilter(request instanceof FormRequest form ? form.getRequest() : request, response);
            return;
        }
        noteLater(request);
        CommitWatch watch = CommitWatch.enter();
        Attempt outer = AttemptHolder.enter(attempt);
        try {
            pages.through(request, (HttpServletResponse) response, chain);
            note(request, watch.isInDoubt(), watch);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            note(request, watch.isInDoubt(e), watch);
            throw e;
        } finally {
            AttemptHolder.leave(outer);
            watch.leave();
        }
        if (RequestTransaction.isPresent()) {
            RequestTransaction transaction = RequestTransaction.current();
            transaction.flush();
            transaction.answered(((HttpServletResponse) response).getStatus());
        }
    }

    /** What a handler does that answers later is followed in the thread of its Callable, and is known elsewhere by what it failed with. */
    private static void noteLater(ServletRequest request) {
        WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
        if (async.hasConcurrentResult()) {
            if (async.getConcurrentResult() instanceof Throwable thrown
                    && (mayGoOn(thrown) || CommitFailures.mayBeOne(thrown))) {
                request.setAttribute(IdempotencyFilter.OUTCOME_UNKNOWN, true);
            }
            if (request.getAttribute(WatchedCallable.ATTRIBUTE) instanceof WatchedCallable watched) {
                watched.note(request);
            }
        } else {
            WatchedCallable watched = new WatchedCallable();
            request.setAttribute(WatchedCallable.ATTRIBUTE, watched);
            async.registerCallableInterceptor(WatchedCallable.ATTRIBUTE, watched);
        }
    }

    /** Its time was over, or its client is gone, and Spring has stopped waiting for it. */
    private static boolean mayGoOn(Throwable thrown) {
        return thrown instanceof AsyncRequestTimeoutException || thrown instanceof AsyncRequestNotUsableException;
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
