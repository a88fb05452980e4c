// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Fingerprint;
import io.semel.Key;
import org.jspecify.annotations.Nullable;

/** What a plain store keeps of one key, in nanoseconds of its backend's time. */
final class Row implements Cloneable {

    final Key key;
    Fingerprint fingerprint;
    String holder;
    long fence;
    int attempts = 1;
    long since;
    /** The end of the lease or of the retention. */
    long until;
    /** The end of the remembrance. */
    long forget = Long.MAX_VALUE;

    boolean settled;
    byte @Nullable [] result;

    Row(Key key, Fingerprint fingerprint, String holder) {
        this.key = key;
        this.fingerprint = fingerprint;
        this.holder = holder;
    }

    @Override
    public Row clone() {
        try {
            return (Row) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
