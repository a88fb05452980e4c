// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets whoever comes first wait for a second, so that two deliveries overlap for certain. */
final class Gate {

    private static final long GLANCE_MILLIS = 10;
    private static final int ENOUGH_IN_VAIN = 10;
    private static final int ENOUGH = 200;

    private final CountDownLatch missing = new CountDownLatch(2);
    private final BooleanSupplier inVain;

    /** A gate that gives up soon where it is in vain, because the second waits for the first, which is right of it. */
    Gate(BooleanSupplier inVain) {
        this.inVain = inVain;
    }

    static Gate opened() {
        Gate gate = new Gate(() -> true);
        gate.open();
        return gate;
    }

    void pass() {
        missing.countDown();
        try {
            int vain = 0;
            for (int glances = 0; glances < ENOUGH && vain < ENOUGH_IN_VAIN; glances++) {
                if (missing.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
                vain = inVain.getAsBoolean() ? vain + 1 : 0;
            }
            open();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void open() {
        missing.countDown();
        missing.countDown();
    }
}
