// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

import java.time.Duration;
import java.util.Optional;

/**
 * Who may append: registers producers, and forgets those that were idle for long.
 *
 * <p>How a batch is appended is up to the implementation, because batch and state must be kept together: see
 * {@link MemoryProducers#append}, and {@code JdbcProducers} in semel-jdbc.
 */
public interface Producers {

    /** A new producer, which nobody can take over: what it sent before a restart is not recognised after it. */
    Producer register();

    /** The next instance of the producer with this name; from now on all instances before it are refused. */
    Producer register(String name);

    /**
     * Ends what an instance did, such as a transaction over several streams: the answer is to be used from now on, and
     * whatever is still on its way from before is refused. Asked again, the answer is the same.
     *
     * @return empty if a newer instance has registered, or if this one is not known (also where a lost answer had brought another
     *     id, after {@value Short#MAX_VALUE} epochs)
     */
    Optional<Producer> advance(Producer instance);

    /**
     * Forgets producers that were idle for this long, with all their streams, and returns how many. Their ids are unknown
     * from then on, and their names begin anew. One that is appending is not idle.
     */
    int purge(Duration idle, int limit);
}
