// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.semel.Outcome.Reason;
import io.semel.session.SessionStore;
import io.semel.testkit.internal.laws.Law;
import org.junit.jupiter.api.Test;

/** A client may be a window ahead of what it has received; nothing is given up for more (N7). */
interface WindowLaws extends Backed {

    @Test
    @Law("N7")
    default void aNumberBeyondTheWindowIsRefusedAndNothingIsGivenUp() {
        Client client = client();
        for (int i = 1; i <= WINDOW; i++) {
            client.done(i, 1);
        }

        client.refused(Reason.WINDOW_FULL, WINDOW + 1, 1);

        for (int i = 1; i <= WINDOW; i++) {
            client.replayed(i, 1);
        }
    }

    @Test
    @Law("N7")
    default void theWindowMovesWithTheMark() {
        Client client = client();
        client.done(1, 1);
        client.refused(Reason.WINDOW_FULL, WINDOW + 1, 1);

        client.done(WINDOW + 1, 2);
        client.refused(Reason.WINDOW_FULL, WINDOW + 2, 2);
    }

    @Test
    @Law("N7")
    default void whatIsKeptStaysWithinTheWindow() {
        SessionStore store = small(1);
        Client client = Client.of(store, terms());
        for (int i = 1; i <= 10 * WINDOW; i++) {
            client.done(i, Math.max(1, i - WINDOW + 1));
        }

        assertEquals(new SessionStore.Counts(1, WINDOW), store.countSessions());
    }
}
