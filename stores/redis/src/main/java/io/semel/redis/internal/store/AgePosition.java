// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.store;

import java.util.Comparator;
import java.util.HexFormat;

/** A position in the order of age: when a slot was claimed or settled, and the hash of its key in hex. */
record AgePosition(long since, String hash) implements Comparable<AgePosition> {

    private static final Comparator<AgePosition> OLDEST_FIRST =
            Comparator.comparingLong(AgePosition::since).thenComparing(AgePosition::hash);

    static AgePosition of(long since, byte[] hash) {
        return new AgePosition(since, HexFormat.of().formatHex(hash));
    }

    static AgePosition parse(String cursor) {
        int dot = cursor.indexOf('.');
        return new AgePosition(Long.parseLong(cursor.substring(0, dot)), cursor.substring(dot + 1));
    }

    byte[] hashBytes() {
        return HexFormat.of().parseHex(hash);
    }

    String cursor() {
        return since + "." + hash;
    }

    @Override
    public int compareTo(AgePosition other) {
        return OLDEST_FIRST.compare(this, other);
    }
}
