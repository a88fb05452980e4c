// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.Key;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that shows operators what it holds; looking never claims and never changes anything. */
public interface Inspectable {

    Optional<Slot> look(Key key);

    /**
     * Pages through a view, the oldest first; a large store may show {@link View#OLDEST} in an order of its own.
     *
     * @param cursor null for the first page, else the {@link Page#next} of the page before
     */
    Page page(View view, @Nullable String cursor, int limit);

    Counts count();

    /**
     * Replaces a settled result that is still the one seen: how an operator resolves an unknown outcome (S12).
     *
     * @param verdict Complete or Release
     * @return whether the slot still had that result; false changes nothing
     */
    boolean amend(Key key, byte[] seen, Settlement verdict);

    /** Which slots to page through. */
    enum View {
        /** Claimed and not settled, with or without a live lease. */
        IN_FLIGHT,
        /** Settled as unknown. */
        UNKNOWN,
        /** Everything. */
        OLDEST
    }

    /** Refuses an amendment by a renewal, for stores. */
    static void checkVerdict(Settlement verdict) {
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend with Complete or Release.");
        }
    }

    /** Some slots, and where to go on; next is null after the last page. */
    record Page(List<Slot> slots, @Nullable String next) {

        /** Refuses a page without slots, for stores. */
        public static void checkLimit(int limit) {
            if (limit < 1) {
                throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
            }
        }

        /** Reads a cursor, and refuses one that the store has not given. */
        public static <T> T read(String cursor, Function<? super String, ? extends T> reading) {
            try {
                return reading.apply(cursor);
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
            }
        }
    }

    /**
     * How many slots are in each state, and roughly how many bytes all of them take. Held, lapsed and unknown are counted; settled
     * and gone may be estimates in a store that holds many.
     */
    record Counts(long held, long lapsed, long unknown, long settled, long gone, long bytes) {

        /** From the number of slots in each state; a state that is missing has none. */
        public static Counts of(Map<Slot.State, Long> slots, long bytes) {
            return new Counts(
                    slots.getOrDefault(Slot.State.HELD, 0L),
                    slots.getOrDefault(Slot.State.LAPSED, 0L),
                    slots.getOrDefault(Slot.State.UNKNOWN, 0L),
                    slots.getOrDefault(Slot.State.SETTLED, 0L),
                    slots.getOrDefault(Slot.State.GONE, 0L),
                    bytes);
        }
    }
}
