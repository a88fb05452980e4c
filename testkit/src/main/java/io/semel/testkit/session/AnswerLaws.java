// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Outcome.Reason;
import io.semel.Retention;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Law;
import org.junit.jupiter.api.Test;

/** Answers are kept until the client says that it has received them, and no longer (N5, N6). */
interface AnswerLaws extends Backed {

    @Test
    @Law("N5")
    default void everyNumberHasItsOwnAnswer() {
        Client client = client();
        client.done(1, 1);
        client.done(3, 1);
        client.done(2, 1);

        client.replayed(2, 1);
        client.replayed(3, 1);
        client.replayed(1, 1);
    }

    @Test
    @Law("N5")
    default void aNumberBelowTheLastIsNotTakenForADuplicate() {
        Client client = client();
        client.done(3, 1);

        client.done(2, 1);
    }

    @Test
    @Law("N5")
    default void anAnswerComesBackByteForByte() {
        Client client = client();
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        client.granted(1, 1, "first");
        client.settle(1, "first", new Settlement.Complete(bytes.clone(), Retention.DEFAULT));

        assertArrayEquals(
                bytes, assertInstanceOf(Claim.Settled.class, client.send(1, 1)).result());
    }

    @Test
    @Law("N5")
    default void anAnswerOutlivesTheRetentionThatKeysHave() {
        Client client = client();
        client.granted(1, 1, "first");
        client.settle(1, "first", new Settlement.Complete(Client.answer(1), Retention.of(LEASE, LEASE)));
        pass(PART_OF_SESSION_LEASE);
        backend().keepAlive(client.key(), 1);
        pass(PART_OF_SESSION_LEASE);

        client.replayed(1, 1);
    }

    @Test
    @Law("N6")
    default void whatTheClientHasReceivedIsStale() {
        Client client = client();
        for (int i = 1; i <= 4; i++) {
            client.done(i, 1);
        }
        client.done(5, 5);

        client.refused(Reason.STALE, 3, 3);
        client.refused(Reason.STALE, 4, 1);
        client.replayed(5, 5);
    }

    @Test
    @Law("N6")
    default void theMarkDoesNotMoveBack() {
        Client client = client();
        client.done(1, 1);
        client.done(5, 5);

        client.done(6, 2);

        client.refused(Reason.STALE, 1, 1);
        client.refused(Reason.STALE, 4, 2);
        client.replayed(5, 2);
    }

    @Test
    @Law("N6")
    default void aRefusedRequestMovesTheMarkToo() {
        Client client = client();
        client.done(1, 1);
        client.done(2, 1);
        client.refused(Reason.WINDOW_FULL, 2 + WINDOW, 2);

        client.refused(Reason.STALE, 1, 1);
        client.replayed(2, 2);
    }

    @Test
    @Law("N6")
    default void aReplayMovesTheMarkToo() {
        Client client = client();
        client.done(1, 1);
        client.done(2, 1);
        client.replayed(2, 2);

        client.refused(Reason.STALE, 1, 1);
    }

    @Test
    @Law("N6")
    default void keepingAliveMovesTheMark() {
        Client client = client();
        client.done(1, 1);
        client.done(2, 1);
        assertEquals(State.LIVE, backend().keepAlive(client.key(), 2));

        client.refused(Reason.STALE, 1, 1);
        assertEquals(State.LIVE, backend().keepAlive(client.key(), 1));
        client.refused(Reason.STALE, 1, 1);
        client.replayed(2, 1);
    }

    @Test
    @Law("N6")
    default void whatWasReceivedIsForgotten() {
        Client client = client();
        client.done(1, 1);
        client.done(2, 2);

        assertTrue(backend().peek(client.key().request(1)).isEmpty());
    }

    @Test
    @Law("N6")
    default void whatRunsBelowTheMarkMayEndAndIsForgotten() {
        Client client = client();
        client.granted(1, 1, "slow");
        client.done(2, 2);
        client.refused(Reason.STALE, 1, 1);

        assertTrue(client.complete(1, "slow"), "nobody took it over");
        client.refused(Reason.STALE, 1, 1);
        assertTrue(backend().peek(client.key().request(1)).isEmpty());
    }
}
