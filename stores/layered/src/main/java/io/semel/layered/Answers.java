// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A place that remembers answers for a while, so that the store that decides need not be asked again. It may forget any of
 * them at any time, and throws where it cannot be asked.
 */
public interface Answers {

    /** The answer to a key, with what is left of its retention by now; empty where it is not remembered. */
    Optional<Claim.Settled> get(Key key);

    /** Many at once, in one round trip where the place can; in the order of the keys. */
    default List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        return keys.stream().map(this::get).toList();
    }

    /**
     * Remembers an answer.
     *
     * @param freshFor for how long at most; never longer than what remains of its retention
     * @param asked when the store that decides was asked, in {@link Time#nanos}; both spans count from then, so that an answer
     *     that took its time is not kept for longer than it is good
     */
    void put(Key key, Claim.Settled settled, Duration freshFor, long asked);

    void forget(Key key);
}
