// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all requests together may hold in memory. */
final class Budget {

    private final long most;
    private final AtomicLong used = new AtomicLong();

    Budget(long most) {
        this.most = most;
    }

    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }
}
