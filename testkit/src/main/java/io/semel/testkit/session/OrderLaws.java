// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Outcome.Reason;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Law;
import org.junit.jupiter.api.Test;

/** A session may demand order (N8). */
interface OrderLaws extends Backed {

    @Test
    @Law("N8")
    default void aNumberThatSkipsOneIsRefusedUntilThatIsDone() {
        Client client = strictClient();
        for (int i = 1; i <= 4; i++) {
            client.done(i, i);
        }
        client.refused(Reason.OUT_OF_ORDER, 6, 5);

        client.done(5, 5);
        client.done(6, 5);
        client.replayed(5, 5);
    }

    @Test
    @Law("N8")
    default void theFirstNumberIsOne() {
        strictClient().refused(Reason.OUT_OF_ORDER, 2, 1);
        strictClient().done(1, 1);
    }

    @Test
    @Law("N8")
    default void whatRunsIsNotDone() {
        Client client = strictClient();
        client.granted(1, 1, "slow");
        client.refused(Reason.OUT_OF_ORDER, 2, 1);

        assertTrue(client.complete(1, "slow"));
        client.done(2, 1);
    }

    @Test
    @Law("N8")
    default void whatWasReleasedIsNotDone() {
        Client client = strictClient();
        client.granted(1, 1, "first");
        assertTrue(client.settle(1, "first", new Settlement.Release()));
        client.refused(Reason.OUT_OF_ORDER, 2, 1);

        client.done(1, 1);
        client.done(2, 1);
    }

    @Test
    @Law("N8")
    default void numbersThatTheClientDoesNotWaitForAreSkipped() {
        Client client = strictClient();
        client.done(1, 1);

        client.refused(Reason.OUT_OF_ORDER, 5, 4);
        client.done(4, 4);
        client.done(5, 4);
    }

    @Test
    @Law("N8")
    default void whoDoesNotDemandOrderGetsNone() {
        Client client = client();
        client.done(3, 1);
        client.done(1, 1);
    }
}
