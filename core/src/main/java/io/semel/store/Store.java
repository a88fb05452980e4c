// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.internal.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Remembers keys: it answers one question, <em>may I?</em>, and obeys one statement, <em>I did</em>.
 *
 * <p>The laws S1 to S14 are in {@code docs/laws.md}; the test kit's {@code StoreContract} tests them. A store that does
 * not know throws (S9), and the caller must then assume nothing. Stores are safe for use by many threads.
 */
public interface Store {

    /** What this store can promise. */
    Level level();

    /** Whether what it settled is final when settle returns; not so where the caller commits later. */
    default boolean commits() {
        return level() != Level.JOINED;
    }

    /** The store's own time (S8), only for judging the age of keys that carry their own. */
    Instant now();

    /** The same, for who has just been granted this key and has done nothing yet: where a grant keeps a connection, by that one. */
    default Instant now(Key held) {
        return now();
    }

    /**
     * Asks for the slot of a key: S1 (one is granted), S2 (others are told Held), S3 (a lapsed slot may be granted again),
     * S5 and S6 (a settled one answers), S7 (the fence rises), S10 (keys are exact), S13 (its own holder may repeat it).
     *
     * @param holder the token of this attempt, used by no other; at most 64 ASCII characters
     * @param lease how long the holder is believed without a word; above zero
     */
    Claim claim(Call call, String holder, Duration lease);

    /**
     * Reports on a grant: S4 (only for the current holder of an unsettled slot), S11 (what is acknowledged survives).
     *
     * <p>A grant is named by its holder and its fence, so that what an attempt said long ago, and the network delivers only
     * now, cannot be taken for the word of a later grant to the same holder.
     *
     * @return whether it applied; false changes nothing
     */
    boolean settle(Key key, String holder, long fence, Settlement settlement);

    /** What is known of a key, without claiming it and without writing: Held, Settled, or empty where it is free. */
    Optional<Claim> peek(Key key);

    /** Many claims, in one round trip where the store can; answers in the order of the questions. */
    default List<Claim> claimAll(List<Claiming> claimings) {
        List<Claim> claims = new ArrayList<>(claimings.size());
        for (Claiming each : claimings) {
            claims.add(claim(each.call(), each.holder(), each.lease()));
        }
        return claims;
    }

    /** Many settlements, in one round trip where the store can; answers in the order of the statements. */
    default List<Boolean> settleAll(List<Settling> settlings) {
        List<Boolean> applied = new ArrayList<>(settlings.size());
        for (Settling each : settlings) {
            applied.add(settle(each.key(), each.holder(), each.fence(), each.settlement()));
        }
        return applied;
    }

    /** The arguments of one {@link #claim}. */
    record Claiming(Call call, String holder, Duration lease) {

        private static final int MOST_HOLDER = 64;
        /** What every store can count. */
        static final Duration MOST_LEASE = Duration.ofDays(365);

        public Claiming {
            check(holder, lease);
        }

        /** Refuses what no store could keep to; the same in all of them. */
        public static void check(String holder, Duration lease) {
            int length = holder.length();
            if (length == 0 || length > MOST_HOLDER || !isAscii(holder)) {
                throw new IllegalArgumentException(
                        "A holder has 1 to 64 ASCII characters, not '" + Printable.of(holder) + "'.");
            }
            if (lease.isNegative() || lease.isZero() || lease.compareTo(MOST_LEASE) > 0) {
                throw new IllegalArgumentException(
                        "A lease is above zero and at most " + MOST_LEASE.toDays() + " days, not " + lease + ".");
            }
        }

        private static boolean isAscii(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) >= 128) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The arguments of one {@link #settle}. */
    record Settling(Key key, String holder, long fence, Settlement settlement) {}
}
