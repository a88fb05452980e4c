// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import java.util.concurrent.atomic.AtomicLong;

/** How much of the budget one connection, or one address, may hold at a time with more than one request. */
final class Share {

    private final long most;
    private final AtomicLong used = new AtomicLong();

    Share(long most) {
        this.most = most;
    }

    /** Whoever is alone may have as much as there is: a share is there to leave room for others. */
    boolean refuses(long own, long bytes) {
        long all = used.get();
        return all > own && all + bytes > most;
    }

    long used() {
        return used.get();
    }

    void add(long bytes) {
        used.addAndGet(bytes);
    }
}
