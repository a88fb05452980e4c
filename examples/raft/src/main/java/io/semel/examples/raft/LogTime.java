// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The time of the log: what the leader wrote into the last entry, so that every replica decides on expiry alike. */
final class LogTime implements Time {

    private long nanos;

    /** A new leader's clock may be behind the old one's; the log's time is not. */
    void reach(long time) {
        nanos = Math.max(nanos, time);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("A state machine does not wait.");
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) {
        throw new UnsupportedOperationException("A state machine does not wait.");
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
        throw new UnsupportedOperationException("A state machine does nothing that is not in the log.");
    }
}
