// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import org.jspecify.annotations.Nullable;

/** One run of the work. */
final class Execution {

    final int number;
    final Grant grant;
    final Asking asking;

    /** What it had the outside world do; null as long as it did nothing. */
    @Nullable
    String effect;
    /** What the store must have recorded when the call is done; null if it ends otherwise. */
    @Nullable
    Stored answer;
    /** What the work threw. */
    @Nullable
    Throwable thrown;

    Execution(int number, Grant grant, Asking asking) {
        this.number = number;
        this.grant = grant;
        this.asking = asking;
    }

    Life life() {
        return grant.life;
    }

    @Override
    public String toString() {
        return "execution " + number + " (" + grant + ")";
    }
}
