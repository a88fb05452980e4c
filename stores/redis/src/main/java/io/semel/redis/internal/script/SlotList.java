// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

/** The lists that the script keeps of each bucket. */
public enum SlotList {
    /** Claimed and not settled, with or without a live lease. */
    HELD('h'),
    /** Settled as unknown. */
    UNKNOWN('u');

    private final char code;

    SlotList(char code) {
        this.code = code;
    }

    byte code() {
        return (byte) code;
    }
}
