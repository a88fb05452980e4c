// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A cache of answers in front of the system of record. It may drop any of them at any time, and throws if it is
 * unavailable.
 */
public interface Answers {

    /** The answer to a key, with what is left of its retention; empty after a miss. */
    Optional<Claim.Settled> get(Key key);

    /** Many at once, in one round trip if possible; in the order of the keys. */
    default List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        return keys.stream().map(this::get).toList();
    }

    /**
     * Caches an answer.
     *
     * @param freshFor how long at most; never longer than its remaining retention
     * @param asked when the store was asked, in {@link Time#nanos}; both spans count from then, so that a slow answer
     *     is not kept for too long
     */
    void put(Key key, Claim.Settled settled, Duration freshFor, long asked);

    void forget(Key key);
}
