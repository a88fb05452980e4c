// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Fingerprint;
import io.semel.store.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of one number of a session: in flight, with a holder, or done, with a result.
 *
 * @param until when the holder's lease ends, in nanoseconds of the store's clock
 */
public record RequestState(
        Fingerprint print,
        long fence,
        boolean abandoned,
        @Nullable String holder,
        long until,
        byte @Nullable [] result) {

    /** Whether its holder fell silent. */
    public boolean isLapsed(long now) {
        return holder != null && now >= until;
    }

    /** What a claim that is not granted is told, and a look. */
    public Claim known(SessionState session, long now) {
        return result == null
                ? new Claim.Held(print, Duration.ofNanos(Math.max(0, until - now)))
                : new Claim.Settled(print, result, Duration.ofNanos(session.until() - now));
    }

    RequestState leased(Duration lease, long now) {
        return new RequestState(print, fence, abandoned, holder, now + lease.toNanos(), null);
    }

    RequestState done(byte[] answer) {
        return new RequestState(print, fence, abandoned, null, 0, answer);
    }
}
