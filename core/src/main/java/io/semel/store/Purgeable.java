// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

/** A store that has to be told to drop what has expired; a {@link Purger} does that in the background. */
@FunctionalInterface
public interface Purgeable {

    /**
     * Drops results past retention and keys past remembrance, never a claim and never anything younger (S5, S6).
     *
     * @return how many records were dropped or shrunk, at most the limit; fewer only when nothing is left to do, or only
     *     what others are at
     */
    int purge(int limit);
}
