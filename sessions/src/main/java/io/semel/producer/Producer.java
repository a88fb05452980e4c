// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

/**
 * Who appends: an id, and the epoch that tells its latest instance from older ones.
 *
 * @param id given by {@link Producers#register}; not to be guessed
 * @param epoch rises with every new instance; whatever an older one sends is refused
 */
public record Producer(long id, short epoch) {

    public Producer {
        if (id < 0 || epoch < 0) {
            throw new IllegalArgumentException(
                    "A producer has an id and an epoch of at least 0, not " + id + " and " + epoch + ".");
        }
    }
}
