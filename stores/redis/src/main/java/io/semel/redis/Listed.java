// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

/** The lists that the script keeps of each bucket. */
enum Listed {
    /** Claimed and not settled, with or without a live lease. */
    HELD('h'),
    /** Settled as unknown. */
    UNKNOWN('u');

    private final char code;

    Listed(char code) {
        this.code = code;
    }

    byte code() {
        return (byte) code;
    }
}
