// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import io.semel.session.Session;
import io.semel.session.SessionStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The laws N1 to N10 as tests, for whoever writes a {@link SessionStore}: extend this class, give it a backend, run it.
 *
 * <p>All tests share one instance of the class and so one backend, which need not be clean: every test registers sessions of its
 * own, and closes them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class SessionContract
        implements RegistrationLaws, ExpiryLaws, NumberLaws, AnswerLaws, WindowLaws, OrderLaws, RaceLaws {

    /** The same backend in every call, as another process would see it, with room for 1,000 sessions at least. */
    protected abstract SessionStore open();

    /** A store on a backend of its own that may hold this many sessions and has none. */
    protected abstract SessionStore withRoomFor(int sessions);

    /** Makes everything that is recorded in all backends older by this span, as if so much time had passed. */
    protected abstract void elapse(Duration span);

    @Override
    public final SessionStore backend() {
        return open();
    }

    @Override
    public final SessionStore small(int sessions) {
        return withRoomFor(sessions);
    }

    @Override
    public final void pass(Duration span) {
        elapse(span);
    }

    @Override
    public final Client client(Session session) {
        return Client.of(open(), session);
    }
}
