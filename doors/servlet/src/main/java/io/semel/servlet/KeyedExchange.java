// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Admission;
import io.semel.http.RequestDecision;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request on its way through the filter. */
final class KeyedExchange implements Around.Invocation {

    private static final int CHUNK = 1 << 13;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FilterChain chain;
    private final FilterSettings settings;
    private final Supplier<Admission> door;
    private final Spool body;

    private Admission.@Nullable Reading reading;
    private @Nullable RequestDecision entry;
    private @Nullable HandlerRun execution;
    private @Nullable Throwable thrown;

    KeyedExchange(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            FilterSettings settings,
            Supplier<Admission> door) {
        this.request = request;
        this.response = response;
        this.chain = chain;
        this.settings = settings;
        this.door = door;
        this.body = new Spool(settings.inMemory(), Long.MAX_VALUE);
    }

    void enter(Admission.Reading admitted) throws IOException, ServletException {
        reading = admitted;
        try {
            new RequestBodyReader(request, body).read(admitted);
            surrounded(admitted);
            conclude();
        } finally {
            if (execution == null && !request.isAsyncStarted()) {
                body.close();
            }
        }
    }

    void follow(RequestDecision decided, HttpServletRequest passing) throws IOException, ServletException {
        if (decided instanceof RequestDecision.Pass) {
            chain.doFilter(passing, response);
        } else if (decided instanceof RequestDecision.Refuse refuse) {
            ResponseWriter.send(refuse.problem().answer(), response);
        } else {
            ResponseWriter.send(((RequestDecision.Replay) decided).answer(), response);
        }
    }

    private void surrounded(Admission.Reading admitted) throws IOException, ServletException {
        Around around = settings.around();
        if (around == null) {
            proceed();
            return;
        }
        try {
            around.run(request, this);
        } catch (IOException | ServletException | RuntimeException e) {
            if (!isRecovered(admitted, e)) {
                throw e;
            }
        }
        if (entry == null) {
            throw new IllegalStateException(around.getClass().getName() + " returned without a call of proceed().");
        }
    }

    @Override
    public boolean isAnswered() {
        if (entry == null) {
            entry = reading().peek().orElse(null);
        }
        return entry != null;
    }

    @Override
    public Around.Verdict proceed() throws IOException, ServletException {
        HandlerRun before = execution;
        if (entry != null && !isUndecided(entry)) {
            return Around.Verdict.ROLL_BACK;
        }
        RequestDecision given = entry == null ? reading().enter() : enterAgain();
        if (before != null) {
            look(given, before);
            return Around.Verdict.ROLL_BACK;
        }
        entry = given;
        return given instanceof RequestDecision.Run run ? run(run) : verdict(given);
    }

    /** Of a session, its client was heard even if nothing ran. */
    private Around.Verdict verdict(RequestDecision given) {
        return reading().isNumbered() && !isUndecided(given) ? Around.Verdict.COMMIT : Around.Verdict.ROLL_BACK;
    }

    private Around.Verdict run(RequestDecision.Run run) throws IOException, ServletException {
        try {
            HandlerRun running = execution(run);
            execution = running;
            return running.run(chain);
        } catch (Throwable e) {
            thrown = e;
            throw e;
        }
    }

    private HandlerRun execution(RequestDecision.Run run) {
        try {
            return new HandlerRun(run, request, response, body, settings);
        } catch (Throwable e) {
            run.fail(e);
            throw e;
        }
    }

    /** Whether another transaction may find more: the store could not say anything, or what ran may not have been committed. */
    private boolean isUndecided(RequestDecision decided) {
        return decided instanceof RequestDecision.Run
                ? thrown == null
                : decided instanceof RequestDecision.Refuse refuse && refuse.cause() != null;
    }

    private RequestDecision enterAgain() throws IOException {
        Admission admission = door.get();
        if (admission instanceof Admission.Decided decided) {
            return decided.decision();
        }
        Admission.Reading again = (Admission.Reading) admission;
        InputStream in = body.slice(0, body.size());
        byte[] chunk = new byte[CHUNK];
        for (int count = in.read(chunk); count > 0; count = in.read(chunk)) {
            again.update(chunk, 0, count);
        }
        return again.enter();
    }

    /** The handler is not run twice, so a slot that is free is left so, for the client's retry. */
    private void look(RequestDecision given, HandlerRun before) throws IOException {
        if (given instanceof RequestDecision.Run run) {
            run.release();
        } else if (given instanceof RequestDecision.Replay
                || (given instanceof RequestDecision.Refuse refuse
                        && refuse.problem().retryAfter() == null)) {
            before.withdraw();
            execution = null;
            entry = given;
        }
    }

    private Admission.Reading reading() {
        if (reading == null) {
            throw new IllegalStateException("There is nothing to pass.");
        }
        return reading;
    }

    /** The handler's own exception goes on; what the surroundings throw by themselves is told to the client as what it means. */
    private boolean isRecovered(Admission.Reading admitted, Exception failure) {
        HandlerRun running = execution;
        if (entry == null) {
            entry = admitted.unavailable(failure);
            return true;
        }
        if (thrown != null) {
            return false;
        }
        request.getServletContext().log("What surrounds a request with an idempotency key failed after it", failure);
        if (running != null) {
            running.unconfirmed();
        }
        return true;
    }

    private void conclude() throws IOException, ServletException {
        if (execution != null) {
            execution.conclude();
        } else if (entry != null) {
            follow(entry, new BufferedRequest(request, body, null));
        }
    }
}
