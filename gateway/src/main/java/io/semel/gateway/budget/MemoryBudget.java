// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that all requests together may hold; when it is used up, charges of slow clients are evicted. */
public final class MemoryBudget {

    private final long most;
    private final AtomicLong used = new AtomicLong();
    private final Set<Charge> waiting = ConcurrentHashMap.newKeySet();

    public MemoryBudget(long most) {
        this.most = most;
    }

    boolean take(long bytes) {
        return takeIfFree(bytes) || (bytes <= most && evict(bytes) && takeIfFree(bytes));
    }

    private boolean takeIfFree(long bytes) {
        if (used.addAndGet(bytes) <= most) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    private boolean evict(long wanted) {
        long freed = 0;
        for (Charge each : waiting) {
            if (freed < wanted) {
                freed += each.evictIfSlow();
            }
        }
        return freed > 0;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }

    /** From now on a client decides how long the charge is held. */
    void waits(Charge charge) {
        waiting.add(charge);
    }

    void waitsNoMore(Charge charge) {
        waiting.remove(charge);
    }
}
