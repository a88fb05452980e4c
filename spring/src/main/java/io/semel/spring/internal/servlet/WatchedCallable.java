// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.servlet;

import io.semel.servlet.IdempotencyFilter;
import io.semel.spring.internal.transaction.CommitWatch;
import jakarta.servlet.ServletRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * The watch over the transactions of a handler's Callable, in the thread that runs it. What it saw is noted when the request is
 * dispatched again: a Callable that has run out of time may end when its request belongs to somebody else.
 */
final class WatchedCallable implements CallableProcessingInterceptor {

    static final String ATTRIBUTE = WatchedCallable.class.getName();

    private @Nullable CommitWatch watch;
    private volatile boolean inDoubt;
    private volatile boolean carriedOut;

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        watch = CommitWatch.enter();
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        CommitWatch entered = watch;
        if (entered != null) {
            entered.leave();
            inDoubt = result instanceof Throwable thrown ? entered.isInDoubt(thrown) : entered.isInDoubt();
            carriedOut = entered.failedAfterCommit();
        }
    }

    void note(ServletRequest request) {
        if (inDoubt) {
            request.setAttribute(IdempotencyFilter.OUTCOME_UNKNOWN, true);
        } else if (carriedOut) {
            request.setAttribute(IdempotencyFilter.CARRIED_OUT, true);
        }
    }
}
