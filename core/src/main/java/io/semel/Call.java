// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request to do something: its key, the fingerprint of what is asked and, if the client said so, when it was first sent.
 *
 * @param firstOutstanding within a session, the first number whose answer the client still waits for; else 0
 */
public record Call(
        Key key, Fingerprint fingerprint, @Nullable Instant firstSent, long firstOutstanding) {

    public static Call of(Key key, Fingerprint fingerprint) {
        return new Call(key, fingerprint, null, 0);
    }

    /** This call with the client's own word on when it was first sent; it takes the place of a time within the key. */
    public Call firstSentAt(Instant time) {
        return new Call(key, fingerprint, time, firstOutstanding);
    }

    /** This call as part of a session whose client has received all answers to smaller numbers. */
    public Call outstandingFrom(long number) {
        return new Call(key, fingerprint, firstSent, number);
    }
}
