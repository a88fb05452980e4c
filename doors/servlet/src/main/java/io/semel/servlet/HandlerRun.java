// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Answer;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One run of a handler, in one thread or in several, one after the other: its answer is held back until it is settled. */
final class HandlerRun {

    static final String ATTRIBUTE = "io.semel.servlet.execution";

    private final RequestDecision.Run run;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Spool body;
    private final FilterSettings settings;
    private final BufferedRequest heldRequest;
    private final BufferedResponse held;
    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private Optional<Problem> problem = Optional.empty();
    private boolean streamed;

    /** Set while somebody else than the running dispatch is to end it. */
    private volatile boolean pending;

    private volatile @Nullable BufferedAsync async;

    HandlerRun(
            RequestDecision.Run run,
            HttpServletRequest request,
            HttpServletResponse response,
            Spool body,
            FilterSettings settings) {
        this.run = run;
        this.request = request;
        this.response = response;
        this.body = body;
        this.settings = settings;
        this.heldRequest = new BufferedRequest(request, body, this);
        this.held = new BufferedResponse(response, new Spool(settings.inMemory(), settings.largestAnswer()), this);
    }

    Around.Verdict run(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(ATTRIBUTE, this);
        request.setAttribute(IdempotencyFilter.ATTEMPT, run.attempt());
        through(chain, heldRequest, held);
        if (pending) {
            return Around.Verdict.ROLL_BACK;
        }
        // A stream was settled when it began.
        return end(State.ENDED) ? settle() : Around.Verdict.COMMIT;
    }

    /** Once more, after the handler has asked for a dispatch. */
    void resume(ServletRequest again, ServletResponse answer, FilterChain chain) throws IOException, ServletException {
        pending = false;
        through(chain, again, answer);
        if (!pending && end(State.ENDED)) {
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
        } catch (Throwable e) {
            fail(e);
            throw e;
        }
    }

    /** An asynchronous handler has completed, in whatever thread; false if its time was over and somebody else answers. */
    boolean complete() throws IOException {
        if (end(State.ENDED)) {
            settle();
            send();
        }
        return state.get() != State.GIVEN_UP;
    }

    /** The one transition: whoever makes it settles and sends, and nobody else. */
    private boolean end(State how) {
        return state.compareAndSet(State.RUNNING, how);
    }

    private Around.Verdict settle() throws IOException {
        Answer head;
        Optional<byte[]> content;
        try {
            head = held.head();
            content = held.content(run.largestKept());
        } catch (Throwable e) {
            released(e);
            throw e;
        }
        if (isUnknown() || (isCarriedOut() && run.keep(head) == Keep.FORGET)) {
            problem = Optional.of(run.silent());
            return Around.Verdict.ROLL_BACK;
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
                ResponseWriter.send(problem.get().answer(), response);
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

    private boolean isUnknown() {
        return request.getAttribute(IdempotencyFilter.OUTCOME_UNKNOWN) != null;
    }

    private boolean isCarriedOut() {
        return request.getAttribute(IdempotencyFilter.CARRIED_OUT) != null;
    }

    private void fail(Throwable thrown) {
        if (end(State.ENDED)) {
            released(thrown);
        } else {
            closed(thrown);
        }
    }

    private void released(Throwable thrown) {
        if (isUnknown() || isCarriedOut()) {
            run.silent();
        } else {
            run.fail(thrown);
        }
        closed(thrown);
    }

    private void closed(Throwable thrown) {
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
        if (!end(State.ENDED)) {
            throw new IllegalStateException("The answer was settled before its stream began.");
        }
        Optional<Problem> failure = run.completeUnkept(head);
        if (failure.isPresent()) {
            problem = failure;
            throw new IllegalStateException(failure.get().detail());
        }
        streamed = true;
        ResponseWriter.lines(run.headers(), response);
    }

    AsyncContext started(AsyncContext given, boolean original) {
        pending = true;
        BufferedAsync started = new BufferedAsync(this, given, original);
        async = started;
        return started;
    }

    AsyncContext async() {
        BufferedAsync current = async;
        if (current == null) {
            throw new IllegalStateException("The request is not asynchronous; call startAsync first.");
        }
        return current;
    }

    BufferedResponse held() {
        return held;
    }

    /** In milliseconds; zero is for ever. */
    long longestRun() {
        return settings.streaming() == Streaming.PASS
                ? 0
                : settings.longestRun().toMillis();
    }

    boolean allowsAsync() {
        return settings.around() == null;
    }

    /** If the filter does not see the dispatch, nobody sends the answer; then this is what the client gets. */
    void dispatching() {
        if (state.get() == State.RUNNING) {
            response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    /** The time of an asynchronous handler is over, or its connection is broken, and nobody knows how far it got. */
    boolean silent() throws IOException {
        if (!end(State.GIVEN_UP)) {
            return false;
        }
        problem = Optional.of(run.silent());
        send();
        return true;
    }

    /** The container is done with the request. */
    void over() throws IOException {
        if (end(State.GIVEN_UP)) {
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

    private enum State {
        RUNNING,
        /** It answered, threw, or began a stream. */
        ENDED,
        /** Its time was over, and what it answers now is too late. */
        GIVEN_UP
    }
}
