// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Counts calls into native code and, once shut, waits for the last one: a handle freed during a call kills the JVM. */
final class Gate {

    private static final long PAUSE = 50_000;

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile boolean shut;

    /** False if the gate is shut; otherwise the caller must leave again. */
    boolean enter() {
        entered.increment();
        if (shut) {
            left.increment();
            return false;
        }
        return true;
    }

    void leave() {
        left.increment();
    }

    void shut() {
        shut = true;
        while (!isEmpty()) {
            LockSupport.parkNanos(PAUSE);
        }
    }

    /**
     * Reads the departures first: neither sum is a snapshot, but both only grow, so equal sums mean that no call is
     * inside.
     */
    private boolean isEmpty() {
        long out = left.sum();
        return out == entered.sum();
    }
}
