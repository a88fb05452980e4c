// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

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
final class Expect {

    static final byte[] DONE = bytes("done");
    static final byte[] AMENDED = bytes("amended");

    /** A stored frame of kind UNKNOWN: format 1, kind 3, why. */
    static final byte[] UNKNOWN = {1, 3, 'w', 'h', 'y'};

    /** How much real time a test may take between two looks, and how coarse a store may round. */
    private static final Duration DRIFT = Duration.ofMinutes(2);

    static Claim.Granted granted(Claim claim) {
        return assertInstanceOf(Claim.Granted.class, claim, "the claim is granted");
    }

    static Claim.Held held(Claim claim) {
        return assertInstanceOf(Claim.Held.class, claim, "somebody else holds it");
    }

    static Claim.Settled settled(Claim claim) {
        return assertInstanceOf(Claim.Settled.class, claim, "it is settled");
    }

    static Claim.Settled answer(byte[] result, Claim claim) {
        Claim.Settled settled = settled(claim);
        assertBytes(result, settled.result());
        return settled;
    }

    static Claim.Settled gone(Claim claim) {
        Claim.Settled settled = settled(claim);
        assertNull(settled.result(), "the result is gone");
        return settled;
    }

    static Claim known(Optional<Claim> peeked) {
        return peeked.orElseThrow(
                () -> new AssertionError("something is known of the key, but peek says that it is free"));
    }

    static void free(Optional<Claim> peeked) {
        assertEquals(Optional.empty(), peeked, "nothing is known of the key");
    }

    static void assertBytes(byte[] expected, byte @Nullable [] actual) {
        assertNotNull(actual, "there is a result");
        assertArrayEquals(expected, actual);
    }

    /** Real time passes during a test, so a span that is left may be somewhat shorter than the record says. */
    static void about(Duration expected, Duration actual) {
        boolean close = expected.equals(Retention.FOREVER)
                ? actual.equals(expected)
                : actual.compareTo(expected.plusSeconds(1)) <= 0 && actual.compareTo(expected.minus(DRIFT)) > 0;
        assertTrue(close, () -> "about " + expected + " remain, not " + actual);
    }

    static void same(Optional<Claim> before, Optional<Claim> after) {
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

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Expect() {}
}
