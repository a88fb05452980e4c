// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Outcome.Reason;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.State;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that is silent for longer than its lease has no session any more (N3). */
interface ExpiryLaws extends Backed {

    @Test
    @Law("N3")
    default void aSilentClientsSessionExpires() {
        Client client = client();
        client.done(1, 1);
        pass(OVER_SESSION_LEASE);

        client.refused(Reason.SESSION_EXPIRED, 2, 2);
        client.refused(Reason.SESSION_EXPIRED, 1, 1);
        assertTrue(backend().peek(client.key().request(1)).isEmpty(), "its answers are forgotten");
        assertEquals(State.EXPIRED, backend().keepAlive(client.key(), 1));
        client.refused(Reason.SESSION_EXPIRED, 2, 2);
    }

    @Test
    @Law("N3")
    default void anExpiredSessionIsNotRegisteredAgain() {
        Client client = client();
        pass(OVER_SESSION_LEASE);

        assertFalse(backend().register(client.session()), "nothing of it ever runs again");
        client.refused(Reason.SESSION_EXPIRED, 1, 1);
    }

    @Test
    @Law("N3")
    default void everyRequestKeepsItsSessionAlive() {
        Client client = client();
        client.done(1, 1);
        for (int i = 0; i < 3; i++) {
            pass(PART_OF_SESSION_LEASE);
            client.replayed(1, 1);
        }
        pass(PART_OF_SESSION_LEASE);
        client.refused(Reason.WINDOW_FULL, 1 + WINDOW, 1);
        pass(PART_OF_SESSION_LEASE);
        client.done(2, 2);
        pass(PART_OF_SESSION_LEASE);
        client.refused(Reason.STALE, 1, 1);
        pass(PART_OF_SESSION_LEASE);
        client.replayed(2, 2);
    }

    @Test
    @Law("N3")
    default void keepingAliveSuffices() {
        Client client = client();
        client.done(1, 1);
        for (int i = 0; i < 4; i++) {
            pass(PART_OF_SESSION_LEASE);
            assertEquals(State.LIVE, backend().keepAlive(client.key(), 1));
        }
        client.replayed(1, 1);
    }

    @Test
    @Law("N3")
    default void aRequestThatRunsKeepsItsSessionAlive() {
        Client client = client();
        client.granted(1, 1, "slow");
        for (int i = 0; i < 4; i++) {
            pass(PART_OF_SESSION_LEASE);
            assertTrue(client.settle(1, "slow", new Settlement.Renew(SESSION_LEASE)), "a holder may renew");
        }
        pass(PART_OF_SESSION_LEASE);
        assertTrue(client.complete(1, "slow"));
        pass(PART_OF_SESSION_LEASE);

        client.replayed(1, 1);
    }

    @Test
    @Law("N3")
    default void aRequestThatEndsLeavesItsClientTheTimeToAsk() {
        Client client = client();
        client.granted(1, 1, "slow");
        pass(PART_OF_SESSION_LEASE);
        assertTrue(client.complete(1, "slow"));
        pass(PART_OF_SESSION_LEASE);

        client.replayed(1, 1);
    }

    @Test
    @Law("N3")
    default void aRequestThatIsReleasedLeavesItsClientTheTimeToSendItAgain() {
        Client client = client();
        client.granted(1, 1, "slow");
        pass(PART_OF_SESSION_LEASE);
        assertTrue(client.settle(1, "slow", new Settlement.Release()));
        pass(PART_OF_SESSION_LEASE);

        client.done(1, 1);
    }

    @Test
    @Law("N3")
    default void whatIsSettledAfterTheEndDoesNotApply() {
        Client client = client();
        client.granted(1, 1, "slow");
        pass(OVER_SESSION_LEASE);

        assertFalse(client.complete(1, "slow"));
        assertFalse(client.settle(1, "slow", new Settlement.Renew(SESSION_LEASE)));
        client.refused(Reason.SESSION_EXPIRED, 1, 1);
    }

    @Test
    @Law("N3")
    default void aPurgeLeavesWhatLivesAndRemembersWhatExpired() {
        Client dead = client();
        dead.done(1, 1);
        pass(PART_OF_SESSION_LEASE);
        Client alive = client();
        alive.done(1, 1);
        pass(PART_OF_SESSION_LEASE);

        backend().purge(Integer.MAX_VALUE);

        dead.refused(Reason.SESSION_EXPIRED, 1, 1);
        alive.replayed(1, 1);
    }

    @Test
    @Law("N3")
    default void aSessionThatExpiredLongAgoIsUnknown() {
        SessionStore store = small(1);
        Client dead = Client.of(store, terms());
        dead.done(1, 1);
        pass(Duration.ofDays(3));

        store.purge(Integer.MAX_VALUE);

        dead.refused(Reason.SESSION_UNKNOWN, 1, 1);
        assertEquals(new SessionStore.Counts(0, 0), store.countSessions());
    }

    @Test
    @Law("N3")
    default void asManyExpiredSessionsAreRememberedAsMayLive() {
        SessionStore store = small(2);
        List<Client> dead = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 2; i++) {
                Client client = Client.of(store, terms());
                client.done(1, 1);
                dead.add(client);
            }
            pass(OVER_SESSION_LEASE);
            dead.get(dead.size() - 1).refused(Reason.SESSION_EXPIRED, 2, 2);
        }
        store.purge(Integer.MAX_VALUE);

        long remembered = store.countSessions().expired();
        assertTrue(remembered <= 2, remembered + " expired sessions are remembered");
        dead.subList(0, 4).forEach(each -> each.refused(Reason.SESSION_UNKNOWN, 2, 2));
        dead.subList(6, 8).forEach(each -> {
            each.refused(Reason.SESSION_EXPIRED, 2, 2);
            assertFalse(store.register(each.session()), "nothing of it ever runs again");
            each.refused(Reason.SESSION_EXPIRED, 1, 1);
        });
    }

    @Test
    @Law("N3")
    default void aPurgeDoesNotDoMoreThanItIsAskedTo() {
        SessionStore store = small(3);
        for (int i = 0; i < 3; i++) {
            Client.of(store, terms());
        }
        pass(Duration.ofDays(3));

        assertEquals(2, store.purge(2));
        assertEquals(1, store.purge(2));
        assertEquals(0, store.purge(2));
    }
}
