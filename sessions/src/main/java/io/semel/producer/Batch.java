// SPDX-License-Identifier: Apache-2.0
package io.semel.producer;

import java.nio.charset.StandardCharsets;

/**
 * Records that one producer appends to one stream together, under consecutive sequence numbers.
 *
 * @param stream what is appended to, such as a partition or a table; each has sequence numbers of its own
 * @param first the sequence number of the first record; after {@link Integer#MAX_VALUE} comes 0
 * @param count how many records there are
 */
public record Batch(Producer producer, String stream, int first, int count) {

    private static final int LONGEST = 255;

    public Batch {
        checkName("stream", stream);
        if (first < 0 || count < 1) {
            throw new IllegalArgumentException("A batch begins at a sequence number of at least 0 and has at least one"
                    + " record; not at " + first + " and " + count + ".");
        }
    }

    /** The sequence number of the last record. */
    public int last() {
        return plus(first, count - 1);
    }

    /** Sequence numbers go round: they never become negative. */
    static int plus(int sequence, int steps) {
        return (int) ((sequence + (long) steps) & Integer.MAX_VALUE);
    }

    /** Refuses what is no name of a producer or a stream. */
    public static void checkName(String what, String name) {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > LONGEST) {
            throw new IllegalArgumentException(
                    "The name of a " + what + " has 1 to " + LONGEST + " bytes in UTF-8, not " + length + ".");
        }
    }
}
