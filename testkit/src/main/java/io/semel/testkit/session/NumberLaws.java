// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Fingerprint;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.internal.laws.Law;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every number is a slot as any other store has them (N4). */
interface NumberLaws extends Backed {

    @Test
    @Law("N4")
    default void aNumberIsGrantedToOneHolder() {
        Client client = client();
        assertFalse(client.granted(1, 1, "first").abandoned());

        Claim.Held held = assertInstanceOf(Claim.Held.class, client.send(1, 1));
        assertEquals(Client.asked(1), held.fingerprint());
        assertTrue(held.remaining().compareTo(LEASE) <= 0 && held.remaining().compareTo(LEASE.minusMinutes(5)) > 0);
        assertInstanceOf(Claim.Held.class, client.at(backend()).send(1, 1));
    }

    @Test
    @Law("N4")
    default void aHolderMayRepeatItsClaim() {
        Client client = client();
        Claim.Granted first = client.granted(1, 1, "first");
        assertEquals(first, client.granted(1, 1, "first"));

        pass(OVER_LEASE);
        Claim.Granted second = client.granted(1, 1, "second");
        assertEquals(second, client.granted(1, 1, "second"));
    }

    @Test
    @Law("N4")
    default void aSilentHolderLosesItsNumber() {
        Client client = client();
        Claim.Granted first = client.granted(1, 1, "first");
        pass(OVER_LEASE);

        Claim.Granted second = client.granted(1, 1, "second");

        assertTrue(second.abandoned());
        assertTrue(second.fence() > first.fence(), "the fence rises");
        assertFalse(client.complete(1, "first"), "it was taken over");
        assertTrue(client.complete(1, "second"));
        client.replayed(1, 1);
    }

    @Test
    @Law("N4")
    default void anotherRequestUnderTheSameNumberIsToldWhatWasAsked() {
        Client client = client();
        client.granted(1, 1, "first");
        Fingerprint other = Fingerprint.of("something else");
        assertEquals(
                Client.asked(1),
                assertInstanceOf(Claim.Held.class, client.claim(1, 1, "other", other))
                        .fingerprint());
        pass(OVER_LEASE);
        Claim.Held lapsed = assertInstanceOf(Claim.Held.class, client.claim(1, 1, "other", other));
        assertEquals(Duration.ZERO, lapsed.remaining());
        client.done(1, 1);
        assertEquals(
                Client.asked(1),
                assertInstanceOf(Claim.Settled.class, client.claim(1, 1, "other", other))
                        .fingerprint());
    }

    @Test
    @Law("N4")
    default void aReleasedNumberRunsAgain() {
        Client client = client();
        Claim.Granted first = client.granted(1, 1, "first");
        assertTrue(client.settle(1, "first", new Settlement.Release()));

        Claim.Granted second = client.granted(1, 1, "second");

        assertFalse(second.abandoned());
        assertTrue(second.fence() > first.fence(), "the fence rises");
        assertFalse(client.complete(1, "first"), "it gave it up");
    }

    @Test
    @Law("N4")
    default void aRenewedNumberIsHeldForLonger() {
        Client client = client();
        client.granted(1, 1, "first");
        pass(Duration.ofMinutes(8));
        assertTrue(client.settle(1, "first", new Settlement.Renew(LEASE)));
        pass(Duration.ofMinutes(5));
        assertInstanceOf(Claim.Held.class, client.send(1, 1));

        assertTrue(client.settle(1, "first", new Settlement.Renew(Duration.ZERO)));
        assertTrue(client.granted(1, 1, "second").abandoned());
    }

    @Test
    @Law("N4")
    default void onlyTheGrantThatIsNamedIsSettled() {
        Client client = client();
        long fence = client.granted(1, 1, "first").fence();
        Settlement release = new Settlement.Release();

        assertFalse(backend().settle(client.key().request(1), "second", fence, release), "another holder");
        assertFalse(backend().settle(client.key().request(1), "first", fence + 1, release), "another fence");
        assertFalse(backend().settle(client.key().request(2), "first", fence, release), "another number");
        assertTrue(client.complete(1, "first"));
        assertFalse(client.settle(1, "first", release), "it is settled");
        client.replayed(1, 1);
    }

    @Test
    @Law("N4")
    default void lateButUnchallengedStillCounts() {
        Client client = client();
        client.granted(1, 1, "first");
        pass(OVER_LEASE);

        assertTrue(client.complete(1, "first"), "nobody has taken over");
        client.replayed(1, 1);
    }

    @Test
    @Law("N4")
    default void aLookTellsTheSameAsAClaimAndChangesNothing() {
        Client client = client();
        assertTrue(backend().peek(client.key().request(1)).isEmpty());
        client.granted(1, 1, "first");
        assertInstanceOf(
                Claim.Held.class, backend().peek(client.key().request(1)).orElseThrow());
        client.complete(1, "first");
        assertInstanceOf(
                Claim.Settled.class, backend().peek(client.key().request(1)).orElseThrow());
        pass(PART_OF_SESSION_LEASE);
        backend().peek(client.key().request(1));
        pass(PART_OF_SESSION_LEASE);
        assertTrue(backend().peek(client.key().request(1)).isEmpty(), "a look is not a word of the client");
    }

    @Test
    @Law("N4")
    default void whatNoStoreCouldKeepToIsRefused() {
        Client client = client();
        assertThrows(IllegalArgumentException.class, () -> client.send(1, 1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> client.claim(1, 1, ""));
        assertFalse(client.granted(1, 1, "first").abandoned());
    }
}
