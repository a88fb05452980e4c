// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Admission;
import io.semel.http.HttpIdempotency;
import io.semel.http.Streaming;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * A servlet filter that lets a request with an idempotency key, or with a number in a session, happen once and answers its retries,
 * by the rules of an {@link HttpIdempotency}: the answer is held back, recorded, and only then sent. Immutable, each method gives a
 * changed copy.
 *
 * <p>Map it behind authentication, where the door has sessions also to their path, to the dispatcher types REQUEST and ASYNC, with asynchronous support. Where several of
 * them meet in one request, the first decides.
 */
public final class IdempotencyFilter implements Filter {

    /** The request attribute under which a handler finds its {@link io.semel.Attempt}: fence, derived keys. */
    public static final String ATTEMPT = "io.semel.attempt";

    /**
     * The request attribute that says, with any value, that nobody knows whether the handler's effect landed, such as after a
     * commit that was cut: the key is left as a crash would leave it, whatever the handler has answered.
     */
    public static final String OUTCOME_UNKNOWN = "io.semel.outcome-unknown";

    /**
     * The request attribute that says, with any value, that the handler's effect has landed, such as where those who are told of a
     * commit throw: an answer by which the key would be free, or an exception, leaves it as a crash would. Other answers are recorded.
     */
    public static final String CARRIED_OUT = "io.semel.carried-out";

    private final HttpIdempotency door;
    private final CallerResolver callers;
    private final FilterSettings settings;

    private IdempotencyFilter(HttpIdempotency door, CallerResolver callers, FilterSettings settings) {
        this.door = door;
        this.callers = callers;
        this.settings = settings;
    }

    public static IdempotencyFilter on(HttpIdempotency door, CallerResolver callers) {
        return new IdempotencyFilter(door, callers, FilterSettings.STANDARD);
    }

    /** Runs every request with a key inside of this, such as a transaction; those requests cannot be asynchronous. */
    public IdempotencyFilter around(Around around) {
        return with(settings.around(around));
    }

    /** The treatment of answers of the type text/event-stream; by default they are refused. */
    public IdempotencyFilter streaming(Streaming streaming) {
        return with(settings.streaming(streaming));
    }

    /** The bytes of a request's body, and of an answer's, that are held in memory; the rest goes to a temporary file. */
    public IdempotencyFilter inMemory(int bytes) {
        return with(settings.inMemory(bytes));
    }

    /** The most that a handler may write: until it has ended, nothing is sent, so all of it needs a place. */
    public IdempotencyFilter largestAnswer(long bytes) {
        return with(settings.largestAnswer(bytes));
    }

    /**
     * The longest run of an asynchronous handler that has switched its time-out off, 10 minutes by default: one that never ends would
     * hold its key for ever. It does not count where streams may pass, which have no such end.
     */
    public IdempotencyFilter longestRun(Duration span) {
        return with(settings.longestRun(span));
    }

    /** Says in the log what becomes of calls whose holder fell silent. */
    @Override
    public void init(FilterConfig config) {
        System.getLogger("io.semel.servlet")
                .log(System.Logger.Level.INFO, "Requests with an idempotency key are guarded: " + door + ".");
    }

    @Override
    public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
            throws IOException, ServletException {
        boolean ours = anyRequest instanceof HttpServletRequest && anyResponse instanceof HttpServletResponse;
        Object running = anyRequest.getAttribute(HandlerRun.ATTRIBUTE);
        DispatcherType dispatch = anyRequest.getDispatcherType();
        if (running instanceof HandlerRun execution && dispatch == DispatcherType.ASYNC) {
            execution.resume(anyRequest, anyResponse, chain);
        } else if (ours && running == null && dispatch == DispatcherType.REQUEST) {
            enter((HttpServletRequest) anyRequest, (HttpServletResponse) anyResponse, chain);
        } else {
            chain.doFilter(anyRequest, anyResponse);
        }
    }

    private void enter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestAdapter asked = new RequestAdapter(request, callers);
        Admission admission = door.admit(asked);
        KeyedExchange exchange = new KeyedExchange(request, response, chain, settings, () -> door.admit(asked));
        if (admission instanceof Admission.Decided decided) {
            exchange.follow(decided.decision(), request);
        } else if (admission instanceof Admission.ForSessions ours) {
            exchange.follow(ours.enter(), request);
        } else {
            exchange.enter((Admission.Reading) admission);
        }
    }

    private IdempotencyFilter with(FilterSettings other) {
        return new IdempotencyFilter(door, callers, other);
    }
}
