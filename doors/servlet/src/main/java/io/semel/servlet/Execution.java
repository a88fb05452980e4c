// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Answer;
import io.semel.http.Entry;
import io.semel.http.Problem;
import io.semel.http.StatusPolicy.Keep;
import io.semel.http.Streaming;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One run of a handler, in one thread or in several, one after the other: its answer is held back until it is settled. */
final class Execution {

    static final String ATTRIBUTE = "io.semel.servlet.execution";

    private final Entry.Run run;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Spool body;
    private final Settings settings;
    private final HeldRequest heldRequest;
    private final HeldResponse held;
    private final AtomicBoolean ended = new AtomicBoolean();
    private Optional<Problem> problem = Optional.empty();
    private boolean streamed;

    /** Set while somebody else than the running dispatch is to end it. */
    private volatile boolean pending;

    private volatile @Nullable HeldAsync async;

    Execution(Entry.Run run, HttpServletRequest request, HttpServletResponse response, Spool body, Settings settings) {
        this.run = run;
        this.request = request;
        this.response = response;
        this.body = body;
        this.settings = settings;
        this.heldRequest = new HeldRequest(request, body, this);
        this.held = new HeldResponse(response, new Spool(settings.inMemory(), settings.largestAnswer()), this);
    }

    Around.Verdict run(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(ATTRIBUTE, this);
        request.setAttribute(IdempotencyFilter.ATTEMPT, run.attempt());
        through(chain, heldRequest, held);
        return pending ? Around.Verdict.ROLL_BACK : settle();
    }

    /** Once more, after the handler has asked for a dispatch. */
    void resume(ServletRequest again, ServletResponse answer, FilterChain chain) throws IOException, ServletException {
        pending = false;
        through(chain, again, answer);
        if (!pending) {
            settle();
            send();
        }
    }

    /** Sends what was settled, unless an asynchronous handler is still at it. */
    void conclude() throws IOException {
        if (!pending) {
            send();
        }
    }

    private void through(FilterChain chain, ServletRequest given, ServletResponse answer)
            throws IOException, ServletException {
        try {
            chain.doFilter(given, answer);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** An asynchronous handler has completed, in whatever thread. */
    void complete() throws IOException {
        if (!ended.get()) {
            settle();
            send();
        }
    }

    private Around.Verdict settle() throws IOException {
        Answer head;
        Optional<byte[]> content;
        try {
            head = held.head();
            content = held.content(run.largestKept());
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
        if (!ended.compareAndSet(false, true)) {
            return Around.Verdict.COMMIT;
        }
        problem = content.isPresent()
                ? run.complete(new Answer(head.status(), head.headers(), content.get()))
                : run.completeUnkept(head);
        boolean recorded = problem.isEmpty() && run.keep(head) == Keep.RECORD;
        held.recorded(recorded);
        return recorded ? Around.Verdict.COMMIT : Around.Verdict.ROLL_BACK;
    }

    private void send() throws IOException {
        try {
            if (problem.isPresent()) {
                held.lines().restore();
                // First, so that a handler that comes too late is told so as soon as its client has been.
                close();
                Sending.send(problem.get().answer(), response);
            } else if (!streamed) {
                held.send(run.headers());
            }
        } finally {
            close();
        }
    }

    /** The answer is settled, but what surrounds it did not end well. */
    void unconfirmed() {
        problem = Optional.of(run.unconfirmed());
    }

    /** The client is given somebody else's answer: leaves nothing of this one. */
    void withdraw() throws IOException {
        held.lines().restore();
        close();
    }

    private void fail(Throwable thrown) {
        if (ended.compareAndSet(false, true)) {
            run.fail(thrown);
        }
        try {
            close();
        } catch (IOException e) {
            thrown.addSuppressed(e);
        }
    }

    /** A stream has no end to be recorded at: leaves a tombstone, and lets it through. */
    void stream(Answer head) {
        if (settings.streaming() == Streaming.REFUSE || settings.around() != null) {
            throw new IllegalStateException(
                    "A stream of events cannot be recorded, so a request with an idempotency key"
                            + " cannot be answered with one here. Ask for it without a key, or say Streaming.PASS"
                            + (settings.around() == null ? "." : ", which needs a filter without Around."));
        }
        if (!ended.compareAndSet(false, true)) {
            throw new IllegalStateException("The answer was settled before its stream began.");
        }
        Optional<Problem> failure = run.completeUnkept(head);
        if (failure.isPresent()) {
            problem = failure;
            throw new IllegalStateException(failure.get().detail());
        }
        streamed = true;
        Sending.lines(run.headers(), response);
    }

    AsyncContext started(AsyncContext given, boolean original) {
        pending = true;
        HeldAsync started = new HeldAsync(this, given, original);
        async = started;
        return started;
    }

    AsyncContext async() {
        HeldAsync current = async;
        if (current == null) {
            throw new IllegalStateException("The request is not asynchronous; call startAsync first.");
        }
        return current;
    }

    HeldResponse held() {
        return held;
    }

    boolean allowsAsync() {
        return settings.around() == null;
    }

    /** If the filter does not see the dispatch, nobody sends the answer; then this is what the client gets. */
    void dispatching() {
        if (!ended.get()) {
            response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    /** The time of an asynchronous handler is over, or its connection is broken, and nobody knows how far it got. */
    boolean silent() throws IOException {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        problem = Optional.of(run.silent());
        send();
        return true;
    }

    /** The container is done with the request. */
    void over() throws IOException {
        if (ended.compareAndSet(false, true)) {
            run.silent();
            log(
                    "A request with an idempotency key has ended, and its answer never came by. Map the filter to the"
                            + " dispatcher type ASYNC too.",
                    null);
        }
        close();
    }

    void log(String what, @Nullable Throwable cause) {
        if (cause == null) {
            request.getServletContext().log(what);
        } else {
            request.getServletContext().log(what, cause);
        }
    }

    private void close() throws IOException {
        try (body) {
            held.close();
        }
    }
}
