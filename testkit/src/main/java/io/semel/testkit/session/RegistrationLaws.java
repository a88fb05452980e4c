// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.MalformedKey;
import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Law;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Sessions are registered, belong to somebody, are counted and are closed (N1, N2, N9, N10). */
interface RegistrationLaws extends Backed {

    @Test
    @Law("N1")
    default void aSessionThatNobodyRegisteredIsUnknownAndStaysSo() {
        Client stranger = new Client(backend(), terms(), new ConcurrentHashMap<>());
        stranger.refused(Reason.SESSION_UNKNOWN, 1, 1);

        assertEquals(State.UNKNOWN, backend().keepAlive(stranger.key(), 1));
        assertFalse(backend().close(stranger.key()), "there is nothing to close");
        stranger.refused(Reason.SESSION_UNKNOWN, 1, 1);
        assertFalse(stranger.complete(1, "nobody"), "nothing was granted");
    }

    @Test
    @Law("N1")
    default void aRegistrationMayBeRepeatedAndChangesNothing() {
        Client client = client();
        client.done(1, 1);

        assertTrue(backend().register(client.session()));

        client.replayed(1, 1);
    }

    @Test
    @Law("N2")
    default void aSessionIsUnknownToEverybodyElse() {
        Client client = client();
        client.done(1, 1);
        SessionKey stolen =
                new SessionKey("contract/somebody else", client.key().id());
        Client thief = new Client(
                backend(), new Session(stolen, Session.Mode.SET, WINDOW, SESSION_LEASE), new ConcurrentHashMap<>());

        thief.refused(Reason.SESSION_UNKNOWN, 1, 1);
        thief.refused(Reason.SESSION_UNKNOWN, 2, 2);
        assertEquals(State.UNKNOWN, backend().keepAlive(stolen, 2));
        assertFalse(backend().close(stolen), "it is not theirs to close");
        client.replayed(1, 1);
    }

    @Test
    @Law("N2")
    default void twoSessionsOfOneClientHaveNumbersOfTheirOwn() {
        Client one = client();
        Client other = client();
        one.done(1, 1);

        other.granted(1, 1, "first");
        one.done(2, 2);
        other.granted(2, 1, "first");
    }

    @Test
    @Law("N9")
    default void aFullStoreRefusesRegistrationsAndGivesUpNoLiveSession() {
        SessionStore store = small(2);
        Client one = Client.of(store, terms());
        Client two = Client.of(store, terms());
        one.done(1, 1);

        assertFalse(store.register(terms()), "there is no room for a third");

        one.replayed(1, 1);
        two.done(1, 1);
        assertTrue(store.register(one.session()), "that one is there already");
        assertEquals(2, store.countSessions().sessions());
    }

    @Test
    @Law("N9")
    default void aScopeThatHasAsManySessionsAsItMayIsRefusedAndNoOther() {
        SessionStore store = small(4);
        Client one = Client.of(store, terms());
        Client.of(store, terms());
        one.done(1, 1);

        assertEquals(Registration.SCOPE_FULL, store.register(terms(), 2));

        one.replayed(1, 1);
        assertEquals(Registration.LIVE, store.register(one.session(), 2), "that one is there already");
        assertEquals(Registration.LIVE, store.register(Session.of("contract/somebody else"), 2));
        assertEquals(Registration.LIVE, store.register(terms(), 3), "others may be allowed more");
        assertEquals(Registration.STORE_FULL, store.register(Session.of("contract/a third"), 2));
        assertEquals(4, store.countSessions().sessions());
    }

    @Test
    @Law("N9")
    default void aSessionThatHasEndedMakesRoomInItsScope() {
        SessionStore store = small(10);
        Client closed = Client.of(store, terms());
        Client.of(store, terms());
        store.close(closed.key());
        assertEquals(Registration.LIVE, store.register(terms(), 2));
        assertEquals(Registration.SCOPE_FULL, store.register(terms(), 2));
        pass(OVER_SESSION_LEASE);

        assertEquals(Registration.LIVE, store.register(terms(), 2));
        assertEquals(Registration.LIVE, store.register(terms(), 2));
        assertEquals(Registration.SCOPE_FULL, store.register(terms(), 2));
        assertEquals(2, store.countSessions().sessions());
    }

    @Test
    @Law("N9")
    default void aSessionThatHasEndedMakesRoom() {
        SessionStore store = small(1);
        Client one = Client.of(store, terms());
        store.close(one.key());
        Client.of(store, terms());
        pass(OVER_SESSION_LEASE);

        Client.of(store, terms()).done(1, 1);
    }

    @Test
    @Law("N10")
    default void aClosedSessionIsUnknown() {
        Client client = client();
        client.done(1, 1);
        client.granted(2, 1, "late");

        assertTrue(backend().close(client.key()));

        client.refused(Reason.SESSION_UNKNOWN, 1, 1);
        client.refused(Reason.SESSION_UNKNOWN, 3, 2);
        assertFalse(client.complete(2, "late"), "its session is gone");
        assertTrue(backend().peek(client.key().request(1)).isEmpty());
        assertFalse(backend().close(client.key()), "it was closed before");
        assertEquals(State.UNKNOWN, backend().keepAlive(client.key(), 1));
    }

    @Test
    @Law("N10")
    default void closingOneSessionLeavesTheOthers() {
        Client one = client();
        Client other = client();
        other.done(1, 1);

        backend().close(one.key());

        other.replayed(1, 1);
    }

    @Test
    @Law("N1")
    default void aKeyThatIsNotOfASessionIsRefused() {
        for (String id :
                List.of("no-number", "id/", "id/0", "id/01", "id/-1", "i d/1", "/1", "id/1234567890123456789")) {
            Call call = Call.of(Key.of("contract", id), Fingerprint.none());
            assertThrows(MalformedKey.class, () -> backend().claim(call, "holder", LEASE), id);
        }
    }

    @Test
    @Law("N9")
    default void sessionsAndTheirRequestsAreCounted() {
        SessionStore store = small(3);
        Client one = Client.of(store, terms());
        Client.of(store, terms());
        one.done(1, 1);
        assertInstanceOf(Claim.Granted.class, one.send(2, 1));

        assertEquals(new SessionStore.Counts(2, 2), store.countSessions());
        one.send(3, 2);
        assertEquals(new SessionStore.Counts(2, 2), store.countSessions());
        store.close(one.key());
        assertEquals(new SessionStore.Counts(1, 0), store.countSessions());
    }
}
