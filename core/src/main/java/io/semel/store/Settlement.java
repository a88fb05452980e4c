// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.AnswerKind;
import io.semel.Rejection;
import io.semel.Retention;
import io.semel.internal.frame.Frame;
import io.semel.internal.frame.Frames;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a holder tells the store about its claim. */
public sealed interface Settlement {

    /** It is done, and this is the result; the slot is settled from now on. */
    record Complete(byte[] result, Retention retention) implements Settlement {

        /** That it was done and its answer is not kept, for a store that knows of a key and has no answer of it any more. */
        public static Complete notRetained(Retention retention) {
            return new Complete(Frames.tombstone(), retention);
        }

        /** What kind of answer the result is; a store keeps it where it wants to find unknown outcomes without reading results. */
        public AnswerKind kind() {
            return Frame.kind(result);
        }

        /** Whether the result is a {@link Rejection}, after which a store that commits the effect takes it back. */
        public boolean rejects() {
            return Frames.rejects(result);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Complete that
                    && Arrays.equals(result, that.result)
                    && retention.equals(that.retention);
        }

        @Override
        public int hashCode() {
            return Objects.hash(Arrays.hashCode(result), retention);
        }

        /** Without the stored bytes, which do not belong into messages. */
        @Override
        public String toString() {
            return "Complete[" + result.length + " bytes, " + retention + "]";
        }
    }

    /** Still at it: believe me for this long from now; zero gives the slot up as abandoned. */
    record Renew(Duration lease) implements Settlement {

        public Renew {
            if (lease.isNegative() || lease.compareTo(Store.Claiming.MOST_LEASE) > 0) {
                throw new IllegalArgumentException("A lease is renewed by zero, which gives it up, or by at most "
                        + Store.Claiming.MOST_LEASE.toDays() + " days, not by " + lease + ".");
            }
        }
    }

    /** It did not happen: the slot is free again, for any fingerprint; only its fence is remembered (S7). */
    record Release() implements Settlement {}
}
