// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.util.SplittableRandom;

/** The misfortunes of one order, caused by network and client; the same for the same seed. */
final class ClientBehaviour {

    private final SplittableRandom random;

    ClientBehaviour(long seed, long order) {
        this.random = new SplittableRandom(seed ^ order * 0x9e37_79b9_7f4a_7c15L);
    }

    long cents() {
        return random.nextLong(100, 100_000);
    }

    boolean clicksTwice() {
        return random.nextDouble() < 0.30;
    }

    /** The connection breaks after the request went out. */
    boolean losesAnswer() {
        return random.nextDouble() < 0.25;
    }

    /** A copy of the request turns up long after the client has its answer. */
    boolean deliversLate() {
        return random.nextDouble() < 0.10;
    }

    /** The client sends the order once more, with another amount. */
    boolean changesItsMind() {
        return random.nextDouble() < 0.02;
    }
}
