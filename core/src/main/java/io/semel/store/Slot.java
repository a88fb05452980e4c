// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.internal.frame.Frame;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sees of one key.
 *
 * @param attempts how often it was granted since it was free; above one, an earlier holder fell silent
 * @param holder who has it, while it is held or lapsed
 * @param age since it was claimed or, once settled, since it was settled
 * @param remaining what is left of lease, retention or remembrance, whichever its state waits for
 * @param result the stored frame, where there is one; not to be changed
 */
public record Slot(
        Key key,
        Fingerprint fingerprint,
        State state,
        long fence,
        int attempts,
        @Nullable String holder,
        Duration age,
        Duration remaining,
        byte @Nullable [] result) {

    /** What a slot is waiting for. */
    public enum State {
        /** For its holder, whose lease is good. */
        HELD,
        /** For anyone: its holder fell silent. */
        LAPSED,
        /** For somebody who finds out whether it happened. */
        UNKNOWN,
        /** For retries, which get its result. */
        SETTLED,
        /** To be forgotten. */
        GONE;

        /** The state of a settled slot, read from its result. */
        public static State ofResult(byte @Nullable [] result) {
            if (result == null) {
                return GONE;
            }
            return Frame.isUnknown(result) ? UNKNOWN : SETTLED;
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Slot that
                && key.equals(that.key)
                && fingerprint.equals(that.fingerprint)
                && state == that.state
                && fence == that.fence
                && attempts == that.attempts
                && Objects.equals(holder, that.holder)
                && age.equals(that.age)
                && remaining.equals(that.remaining)
                && Arrays.equals(result, that.result);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, fingerprint, state, fence, attempts, holder, age, remaining, Arrays.hashCode(result));
    }

    /** Without the stored bytes, which do not belong into messages. */
    @Override
    public String toString() {
        String size = result == null ? "no result" : result.length + " bytes";
        return "Slot[" + key + ", " + state + ", fence=" + fence + ", age=" + age + ", remaining=" + remaining + ", "
                + size + "]";
    }
}
