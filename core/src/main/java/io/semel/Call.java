// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request to do something: its key, the fingerprint of what is asked and, if the client said so, when it was first sent.
 *
 * @param firstOutstanding within a session, the first number whose answer the client still waits for; else 0
 * @param waited how long this request has waited already, see {@link #polling}
 * @param asksAgain whether its caller asks again if it is told Busy, see {@link #polling}
 */
public record Call(
        Key key,
        Fingerprint fingerprint,
        @Nullable Instant firstSent,
        long firstOutstanding,
        Duration waited,
        boolean asksAgain) {

    public static Call of(Key key, Fingerprint fingerprint) {
        return new Call(key, fingerprint, null, 0, Duration.ZERO, false);
    }

    /** This call with the client's own word on when it was first sent; it takes the place of a time within the key. */
    public Call firstSentAt(Instant time) {
        return new Call(key, fingerprint, time, firstOutstanding, waited, asksAgain);
    }

    Call printed(Fingerprint other) {
        return new Call(key, other, firstSent, firstOutstanding, waited, asksAgain);
    }

    /** This call as part of a session whose client has received all answers to smaller numbers. */
    public Call outstandingFrom(long number) {
        return new Call(key, fingerprint, firstSent, number, waited, asksAgain);
    }

    /**
     * This call as one of several questions of one duplicate, whose caller waits without a thread and asks again by itself. Only the
     * last question tells the listener of a Busy outcome, so that duplicates are counted and not questions.
     *
     * @param soFar how long the duplicate has waited before this question; events carry it
     * @param last whether the caller gives up after this question
     */
    public Call polling(Duration soFar, boolean last) {
        return new Call(key, fingerprint, firstSent, firstOutstanding, soFar, !last);
    }
}
