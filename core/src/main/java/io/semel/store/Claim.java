// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.Fingerprint;
import io.semel.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A store's answer to a claim. */
public sealed interface Claim {

    /** The slot is yours; abandoned says that an earlier holder fell silent, so that its effect may have happened. */
    record Granted(long fence, boolean abandoned) implements Claim {}

    /** Somebody else has it, for the time remaining; zero where the lease ran out but the fingerprint is another (S3). */
    record Held(Fingerprint fingerprint, Duration remaining) implements Claim {}

    /**
     * It is finished: with its result, or without where retention has ended (S6).
     *
     * @param result not to be changed by whoever gets it
     * @param remaining how long it stays so: what is left of retention or, without a result, of remembrance
     */
    record Settled(Fingerprint fingerprint, byte @Nullable [] result, Duration remaining) implements Claim {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Settled that
                    && fingerprint.equals(that.fingerprint)
                    && Arrays.equals(result, that.result)
                    && remaining.equals(that.remaining);
        }

        @Override
        public int hashCode() {
            return Objects.hash(fingerprint, Arrays.hashCode(result), remaining);
        }

        /** Without the stored bytes, which do not belong into messages. */
        @Override
        public String toString() {
            String size = result == null ? "no result" : result.length + " bytes";
            return "Settled[" + fingerprint + ", " + size + ", remaining=" + remaining + "]";
        }
    }

    /** The store's own rules forbid it, whatever is in the slot; only stores of sessions say so. */
    record Refused(Outcome.Reason reason) implements Claim {}
}
