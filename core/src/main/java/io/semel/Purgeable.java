// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** A store that has to be told to drop what has expired. */
public interface Purgeable {

    /**
     * Drops results past retention and keys past remembrance, never a claim and never anything younger (S5, S6).
     *
     * @return how many records were dropped or shrunk, at most the limit; zero when nothing is left to do
     */
    int purge(int limit);
}
