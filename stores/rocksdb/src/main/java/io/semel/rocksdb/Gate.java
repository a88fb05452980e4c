// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Lets calls into native code and, once it is shut, waits until the last one is out: a handle freed under one kills the JVM. */
final class Gate {

    private static final long PAUSE = 50_000;

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile boolean shut;

    /** False if it is shut; whoever is let in leaves again. */
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

    /** Who left is counted first: sums are no snapshots, but both only grow, so equal means empty. */
    private boolean isEmpty() {
        long out = left.sum();
        return out == entered.sum();
    }
}
