// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.client;

import io.semel.redis.internal.script.RedisFailures;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Holds commands back while the connection is down, for at most as long as a command waits for its answer; after that
 * they fail at once, and certainly nothing was sent.
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

    /** Wakes waiting threads, so that they check again. */
    synchronized void changed() {
        notifyAll();
    }

    /** Ignores interrupts, because other requests wait for the same batch. */
    void awaitUp(BooleanSupplier up) {
        if (downSince == UP && up.getAsBoolean()) {
            return;
        }
        boolean interrupted = false;
        synchronized (this) {
            while (!up.getAsBoolean()) {
                lost();
                if (System.nanoTime() - downSince >= patience.toNanos()) {
                    throw RedisFailures.disconnected(patience);
                }
                try {
                    // Checks again after a while, even without a notification.
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
