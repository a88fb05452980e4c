// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import io.semel.http.Admission;
import io.semel.http.Entry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One request on its way through the filter. */
final class Exchange implements Around.Inside {

    private static final int CHUNK = 1 << 13;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FilterChain chain;
    private final Settings settings;
    private final Spool body;

    private Admission.@Nullable Reading reading;
    private @Nullable Entry entry;
    private @Nullable Execution execution;
    private @Nullable Throwable thrown;

    Exchange(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Settings settings) {
        this.request = request;
        this.response = response;
        this.chain = chain;
        this.settings = settings;
        this.body = new Spool(settings.inMemory(), Long.MAX_VALUE);
    }

    void enter(Admission.Reading admitted) throws IOException, ServletException {
        reading = admitted;
        try {
            read(admitted);
            surrounded(admitted);
            conclude();
        } finally {
            if (execution == null && !request.isAsyncStarted()) {
                body.close();
            }
        }
    }

    void follow(Entry decided, HttpServletRequest passing) throws IOException, ServletException {
        if (decided instanceof Entry.Pass) {
            chain.doFilter(passing, response);
        } else if (decided instanceof Entry.Refuse refuse) {
            log("A request with an idempotency key was refused", refuse.cause());
            Sending.send(refuse.problem().answer(), response);
        } else {
            Sending.send(((Entry.Replay) decided).answer(), response);
        }
    }

    private void read(Admission.Reading admitted) throws IOException, ServletException {
        ServletInputStream in = request.getInputStream();
        long announced = request.getContentLengthLong();
        byte[] chunk = new byte[chunkFor(announced)];
        boolean empty = true;
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
            if (!admitted.update(chunk, 0, count)) {
                return;
            }
            body.write(chunk, 0, count);
            empty = false;
        }
        if (empty && announced > 0) {
            // Without its body, another request with the same key would be taken for a retry.
            throw new ServletException("The body of a request with an idempotency key was read before it came to the"
                    + " idempotency filter, perhaps by getParameter. Put the filter in front of whatever reads it.");
        }
    }

    /** One byte more than is announced, so that the end is seen in the same round. */
    private static int chunkFor(long announced) {
        return announced < 0 || announced >= CHUNK ? CHUNK : (int) announced + 1;
    }

    private void surrounded(Admission.Reading admitted) throws IOException, ServletException {
        Around around = settings.around();
        if (around == null) {
            pass();
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
            throw new IllegalStateException(around.getClass().getName() + " returned without a call of pass().");
        }
    }

    @Override
    public Around.Verdict pass() throws IOException, ServletException {
        Admission.Reading admitted = reading;
        if (admitted == null) {
            throw new IllegalStateException("There is nothing to pass.");
        }
        Entry given = admitted.enter();
        entry = given;
        if (!(given instanceof Entry.Run run)) {
            return Around.Verdict.ROLL_BACK;
        }
        Execution running = new Execution(run, request, response, body, settings);
        execution = running;
        try {
            return running.run(chain);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e;
            throw e;
        }
    }

    /** The handler's own exception goes on; what the surroundings throw by themselves is told to the client as what it means. */
    private boolean isRecovered(Admission.Reading admitted, Exception failure) {
        Execution running = execution;
        if (entry == null) {
            entry = admitted.unavailable(failure);
            return true;
        }
        if (running == null || thrown != null) {
            return false;
        }
        log("What surrounds a request with an idempotency key failed after it", failure);
        running.unconfirmed();
        return true;
    }

    private void conclude() throws IOException, ServletException {
        if (execution != null) {
            execution.conclude();
        } else if (entry != null) {
            follow(entry, new HeldRequest(request, body, null));
        }
    }

    private void log(String what, @Nullable Throwable cause) {
        if (cause != null) {
            request.getServletContext().log(what, cause);
        }
    }
}
