// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.attempt;

import java.util.concurrent.atomic.AtomicLong;

/** RetryPolicy that all calls of a client share, so that a service in trouble is not asked many times as much as usual. */
public final class RetryBudget {

    private static final long RETRY = 1_000_000;

    private final long full;
    private final long returned;
    private final AtomicLong left;

    public RetryBudget(int retries, double returnedByAnswer) {
        this.full = retries * RETRY;
        this.returned = Math.round(returnedByAnswer * RETRY);
        this.left = new AtomicLong(full);
    }

    /** Takes one retry; false if none is left. */
    public boolean take() {
        return left.getAndUpdate(now -> now < RETRY ? now : now - RETRY) >= RETRY;
    }

    public void answered() {
        left.updateAndGet(now -> Math.min(full, now + returned));
    }
}
