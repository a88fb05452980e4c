// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.util.Comparator;
import java.util.HexFormat;

/** A place in the order of age: when a slot was claimed or settled, and the hash of its key in hex. */
record Place(long since, String hash) implements Comparable<Place> {

    private static final Comparator<Place> OLDEST_FIRST =
            Comparator.comparingLong(Place::since).thenComparing(Place::hash);

    static Place of(long since, byte[] hash) {
        return new Place(since, HexFormat.of().formatHex(hash));
    }

    static Place parse(String cursor) {
        int dot = cursor.indexOf('.');
        try {
            return new Place(Long.parseLong(cursor.substring(0, dot)), cursor.substring(dot + 1));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
        }
    }

    byte[] hashBytes() {
        return HexFormat.of().parseHex(hash);
    }

    String cursor() {
        return since + "." + hash;
    }

    @Override
    public int compareTo(Place other) {
        return OLDEST_FIRST.compare(this, other);
    }
}
