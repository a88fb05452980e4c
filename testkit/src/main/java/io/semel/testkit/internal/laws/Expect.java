// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.semel.Retention;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the laws expect of answers. */
@SuppressWarnings("MutablePublicArray") // a store that writes into one of them fails its laws
public final class Expect {

    public static final byte[] DONE = bytes("done");
    public static final byte[] AMENDED = bytes("amended");

    /** A stored frame of kind UNKNOWN: format 1, kind 3, why. */
    public static final byte[] UNKNOWN = {1, 3, 'w', 'h', 'y'};

    /** How much real time a test may take between two looks, and how coarse a store may round. */
    private static final Duration DRIFT = Duration.ofMinutes(2);

    public static Claim.Granted granted(Claim claim) {
        return assertInstanceOf(Claim.Granted.class, claim, "the claim is granted");
    }

    public static Claim.Held held(Claim claim) {
        return assertInstanceOf(Claim.Held.class, claim, "somebody else holds it");
    }

    public static Claim.Settled settled(Claim claim) {
        return assertInstanceOf(Claim.Settled.class, claim, "it is settled");
    }

    public static Claim.Settled answer(byte[] result, Claim claim) {
        Claim.Settled settled = settled(claim);
        assertBytes(result, settled.result());
        return settled;
    }

    public static Claim.Settled gone(Claim claim) {
        Claim.Settled settled = settled(claim);
        assertNull(settled.result(), "the result is gone");
        return settled;
    }

    public static Claim known(Optional<Claim> peeked) {
        return peeked.orElseThrow(
                () -> new AssertionError("something is known of the key, but peek says that it is free"));
    }

    public static void free(Optional<Claim> peeked) {
        assertEquals(Optional.empty(), peeked, "nothing is known of the key");
    }

    public static void assertBytes(byte[] expected, byte @Nullable [] actual) {
        assertNotNull(actual, "there is a result");
        assertArrayEquals(expected, actual);
    }

    /** Real time passes during a test, so a span that is left may be somewhat shorter than the record says. */
    public static void about(Duration expected, Duration actual) {
        boolean close = expected.equals(Retention.FOREVER)
                ? actual.equals(expected)
                : actual.compareTo(expected.plusSeconds(1)) <= 0 && actual.compareTo(expected.minus(DRIFT)) > 0;
        assertTrue(close, () -> "about " + expected + " remain, not " + actual);
    }

    public static void same(Optional<Claim> before, Optional<Claim> after) {
        assertEquals(before.isPresent(), after.isPresent(), "the slot is as free as before");
        before.ifPresent(claim -> same(claim, known(after)));
    }

    private static void same(Claim before, Claim after) {
        if (before instanceof Claim.Held held) {
            assertEquals(held.fingerprint(), held(after).fingerprint());
            about(held.remaining(), held(after).remaining());
        } else if (before instanceof Claim.Settled settled) {
            assertEquals(settled.fingerprint(), settled(after).fingerprint());
            assertArrayEquals(settled.result(), settled(after).result());
            about(settled.remaining(), settled(after).remaining());
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Expect() {}
}
