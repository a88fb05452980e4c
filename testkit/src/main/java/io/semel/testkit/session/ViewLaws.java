// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Outcome.Reason;
import io.semel.session.InspectableSessions;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import io.semel.session.SessionView.State;
import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What an operator sees of sessions, which changes nothing (N2, N3, N6, N10). */
interface ViewLaws extends Backed {

    @Test
    @Law("N6")
    default void whatIsKeptOfASessionIsShown() {
        Client client = strangersClient();
        client.done(1, 1);
        client.done(2, 2);
        client.granted(3, 2, "silent");
        pass(OVER_LEASE);
        Claim.Granted running = client.granted(4, 2, "busy");

        SessionView view = look(client).orElseThrow();

        assertEquals(client.session(), view.session());
        assertEquals(2, view.mark());
        assertEquals(4, view.highest());
        assertAbout(SESSION_LEASE, view.remaining());
        assertEquals(
                List.of("2 DONE", "3 LAPSED", "4 RUNNING"),
                view.requests().stream()
                        .map(each -> each.number() + " " + each.state())
                        .toList());
        SessionView.Request last = view.requests().get(2);
        assertEquals(running.fence(), last.fence());
        assertAbout(LEASE, last.remaining());
        assertEquals(Duration.ZERO, view.requests().get(1).remaining());
        assertEquals(List.of(view.session()), sessions(client, 10));
    }

    @Test
    @Law("N6")
    default void whatTheMarkHasPassedIsNotShown() {
        Client client = strangersClient();
        client.done(1, 1);
        client.done(2, 1);
        backend().keepAlive(client.key(), 3);

        SessionView view = look(client).orElseThrow();

        assertEquals(3, view.mark());
        assertEquals(2, view.highest());
        assertEquals(List.of(), view.requests());
    }

    @Test
    @Law("N3")
    default void lookingKeepsNothingAliveAndTakesNothing() {
        Client client = strangersClient();
        client.granted(1, 1, "first");
        pass(PART_OF_SESSION_LEASE);
        SessionView view = look(client).orElseThrow();
        assertAbout(SESSION_LEASE.minus(PART_OF_SESSION_LEASE), view.remaining());
        assertEquals(State.LAPSED, view.requests().get(0).state());
        assertEquals(1, sessions(client, 1).size());
        assertTrue(client.granted(1, 1, "second").abandoned(), "the first one fell silent, and no look took its place");

        pass(PART_OF_SESSION_LEASE);
        assertTrue(look(client).isPresent(), "it lives");
        assertEquals(1, sessions(client, 1).size());
        pass(PART_OF_SESSION_LEASE);

        assertEquals(Optional.empty(), look(client));
        assertEquals(List.of(), sessions(client, 10));
        client.refused(Reason.SESSION_EXPIRED, 2, 1);
    }

    @Test
    @Law("N10")
    default void aClosedSessionIsNotShown() {
        Client client = strangersClient();
        backend().close(client.key());

        assertEquals(Optional.empty(), look(client));
        assertEquals(List.of(), sessions(client, 10));
    }

    @Test
    @Law("N2")
    default void sessionsAreShownUnderTheirOwnScopeAlone() {
        Client one = strangersClient();
        Client other = strangersClient();
        Session second = Session.of(one.key().scope()).mode(Session.Mode.STRICT);
        backend().register(second);

        SessionKey stolen = new SessionKey(other.key().scope(), one.key().id());
        assertEquals(Optional.empty(), inspectable(backend()).look(stolen));
        assertEquals(Set.of(one.session(), second), Set.copyOf(sessions(one, 10)));
        assertEquals(List.of(other.session()), sessions(other, 10));
        assertEquals(1, sessions(one, 1).size());
    }

    /** In a scope of its own, so that other tests have no sessions there. */
    private Client strangersClient() {
        return client(Session.of("contract/" + UUID.randomUUID()).window(WINDOW).lease(SESSION_LEASE));
    }

    private Optional<SessionView> look(Client client) {
        return inspectable(backend()).look(client.key());
    }

    private List<Session> sessions(Client client, int limit) {
        return inspectable(backend()).list(client.key().scope(), limit).stream()
                .map(SessionView::session)
                .collect(Collectors.toList());
    }

    private static InspectableSessions inspectable(SessionStore store) {
        return (InspectableSessions) store;
    }

    private static void assertAbout(Duration expected, Duration actual) {
        Duration off = expected.minus(actual).abs();
        assertTrue(off.compareTo(Duration.ofMinutes(5)) < 0, "about " + expected + ", not " + actual);
    }
}
