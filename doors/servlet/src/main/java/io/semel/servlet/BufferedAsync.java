// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An asynchronous context whose completion settles and sends the answer first, whoever calls it. */
final class BufferedAsync implements AsyncContext, AsyncListener {

    private final HandlerRun execution;
    private final AsyncContext context;
    private final boolean original;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean decided;

    BufferedAsync(HandlerRun execution, AsyncContext context, boolean original) {
        this.execution = execution;
        this.context = context;
        this.original = original;
        context.addListener(this);
        if (context.getTimeout() <= 0) {
            setTimeout(0);
        }
    }

    @Override
    public void complete() {
        decided = true;
        boolean own = true;
        try {
            own = execution.complete();
        } catch (IOException | RuntimeException e) {
            execution.log("The answer to a request with an idempotency key could not be sent", e);
        } finally {
            if (own) {
                context.complete();
            }
        }
    }

    @Override
    public void dispatch() {
        dispatching();
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        dispatching();
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext elsewhere, String path) {
        dispatching();
        context.dispatch(elsewhere, path);
    }

    private void dispatching() {
        decided = true;
        execution.dispatching();
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original;
    }

    @Override
    public void start(Runnable work) {
        context.start(work);
    }

    @Override
    public void addListener(AsyncListener listener) {
        listeners.add(new Listening(listener, null, null));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        listeners.add(new Listening(listener, request, response));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        context.setTimeout(millis > 0 ? millis : execution.longestRun());
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        try {
            for (Listening each : listeners) {
                each.listener.onTimeout(each.event(this, event));
            }
        } finally {
            endInSilence();
        }
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
        try {
            for (Listening each : listeners) {
                each.listener.onError(each.event(this, event));
            }
        } finally {
            endInSilence();
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
        for (Listening each : listeners) {
            each.listener.onStartAsync(each.event(this, event));
        }
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        try {
            for (Listening each : listeners) {
                each.listener.onComplete(each.event(this, event));
            }
        } finally {
            execution.over();
        }
    }

    private void endInSilence() throws IOException {
        if (!decided && execution.silent()) {
            context.complete();
        }
    }

    /** A listener of the handler's, with the request and response that it wants to see. */
    private record Listening(
            AsyncListener listener,
            @Nullable ServletRequest request,
            @Nullable ServletResponse response) {

        AsyncEvent event(AsyncContext context, AsyncEvent event) {
            return new AsyncEvent(context, request, response, event.getThrowable());
        }
    }
}
