// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Keeps commands from a connection that is down. They wait for it until it has been down for as long as an answer is waited
 * for; from then on they fail at once, and it is certain that nothing was sent.
 */
final class ConnectionState {

    private static final long PAUSE_MILLIS = 50;
    private static final long UP = Long.MIN_VALUE;

    private final Duration patience;
    private volatile long downSince = UP;

    ConnectionState(Duration patience) {
        this.patience = patience;
    }

    synchronized void lost() {
        if (downSince == UP) {
            downSince = System.nanoTime();
        }
    }

    /** Wakes those who wait, so that they look again. */
    synchronized void changed() {
        notifyAll();
    }

    /** Does not heed interrupts, as others wait for the same trip. */
    void awaitUp(BooleanSupplier up) {
        if (downSince == UP && up.getAsBoolean()) {
            return;
        }
        boolean interrupted = false;
        synchronized (this) {
            while (!up.getAsBoolean()) {
                lost();
                if (System.nanoTime() - downSince >= patience.toNanos()) {
                    throw Failures.disconnected(patience);
                }
                try {
                    // Looks again after a while even if nobody says that something has changed.
                    wait(PAUSE_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            downSince = UP;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
