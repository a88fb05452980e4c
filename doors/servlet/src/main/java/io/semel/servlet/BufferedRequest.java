// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body has been read, and is handed on unchanged: as a stream, as characters, as a form. */
final class BufferedRequest extends HttpServletRequestWrapper {

    private final Spool body;
    private final @Nullable HandlerRun execution;
    private @Nullable FormParameters form;
    private @Nullable BufferedInput input;
    private @Nullable BufferedReader reader;

    /** Without an execution, asynchronous requests are the container's alone. */
    BufferedRequest(HttpServletRequest request, Spool body, @Nullable HandlerRun execution) {
        super(request);
        this.body = body;
        this.execution = execution;
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader has been called for this request.");
        }
        if (input == null) {
            input = new BufferedInput(body, this::getAsyncContext);
        }
        return input;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            if (input != null) {
                throw new IllegalStateException("getInputStream has been called for this request.");
            }
            reader = new BufferedReader(new InputStreamReader(body.slice(0, body.size()), charset()));
        }
        return reader;
    }

    /** JSON is UTF-8 by its own definition; for the rest the servlet specification says what nobody says any more. */
    private String charset() {
        String said = getCharacterEncoding();
        if (said != null) {
            return said;
        }
        String type = getContentType();
        boolean json = type != null && type.toLowerCase(Locale.ROOT).contains("json");
        return json ? "UTF-8" : "ISO-8859-1";
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null || values.length == 0 ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = form().parameters().get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(form().parameters().keySet());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return Collections.unmodifiableMap(form().parameters());
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return form().parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        for (Part part : getParts()) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    private FormParameters form() {
        if (form == null) {
            form = new FormParameters((HttpServletRequest) getRequest(), body);
        }
        return form;
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        RequestDispatcher dispatcher = super.getRequestDispatcher(path);
        return dispatcher == null || execution == null ? dispatcher : new BufferedDispatcher(dispatcher);
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) {
        throw new IllegalStateException("A request with an idempotency key cannot become another protocol, because"
                + " that cannot be recorded. Ask for it without a key.");
    }

    @Override
    public boolean isAsyncSupported() {
        return (execution == null || execution.allowsAsync()) && super.isAsyncSupported();
    }

    @Override
    public AsyncContext startAsync() {
        HandlerRun running = execution;
        if (running == null) {
            return super.startAsync();
        }
        checkAsync(running);
        return running.started(super.startAsync(this, running.held()), true);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        HandlerRun running = execution;
        if (running == null) {
            return super.startAsync(request, response);
        }
        checkAsync(running);
        return running.started(super.startAsync(request, response), false);
    }

    @Override
    public AsyncContext getAsyncContext() {
        return execution == null ? super.getAsyncContext() : execution.async();
    }

    private static void checkAsync(HandlerRun running) {
        if (!running.allowsAsync()) {
            throw new IllegalStateException("A request with an idempotency key cannot be asynchronous where it runs"
                    + " inside of a transaction, because that belongs to one thread.");
        }
    }
}
