// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.budget;

import io.semel.gateway.http.Refusal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The bytes that one request holds of the budget. It belongs to its event loop, but any thread may evict it while it waits for a slow client. */
public final class Charge {

    private static final long EVICTED = -1;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    /** A client that sends that much in a second is not slow. */
    private static final long QUICK = 64 << 10;

    private final MemoryBudget budget;
    private final AddressShares.Share[] shares;
    private final AddressShares.@Nullable Share whole;
    private final AtomicLong held = new AtomicLong();
    private volatile long since;
    private final AtomicLong passed = new AtomicLong();
    private volatile @Nullable Runnable evicted;

    /** A charge outside all shares. */
    public Charge(MemoryBudget budget) {
        this(budget, new AddressShares.Share[0]);
    }

    Charge(MemoryBudget budget, AddressShares.Share[] shares) {
        this(budget, null, shares);
    }

    /** @param whole that of which this is a part, so that it is no second one beside it; null if it stands alone */
    Charge(MemoryBudget budget, AddressShares.@Nullable Share whole, AddressShares.Share[] shares) {
        this.budget = budget;
        this.whole = whole;
        this.shares = shares;
    }

    public long held() {
        return Math.max(0, held.get());
    }

    /** Whether the client holds so much in all that so many more bytes would find no room. */
    public boolean isFull(long bytes) {
        for (AddressShares.Share each : shares) {
            if (each.refuses(own(), bytes)) {
                return true;
            }
        }
        return false;
    }

    private long own() {
        return whole == null ? held() : whole.used();
    }

    /** Why there is no room for so many bytes; null if there is, and it was taken. */
    @Nullable
    public Refusal take(long bytes) {
        if (isFull(bytes)) {
            return Refusal.TOO_MUCH_AT_ONCE;
        }
        if (!budget.take(bytes)) {
            return Refusal.OVERLOADED;
        }
        share(bytes);
        long before;
        do {
            before = held.get();
            if (before == EVICTED) {
                back(bytes);
                return Refusal.TOO_SLOW;
            }
        } while (!held.compareAndSet(before, before + bytes));
        return null;
    }

    /**
     * Holds exactly so many bytes from now on, for as long as the client makes us.
     *
     * @param whenEvicted told, in any thread, that others need the room
     * @return why there is no room; null if there is, and it was taken
     */
    @Nullable
    public Refusal hold(long bytes, Runnable whenEvicted) {
        long before = held();
        if (bytes == 0) {
            clear();
        } else if (bytes <= before) {
            keep(bytes);
        } else {
            waits(whenEvicted);
            return take(bytes - before);
        }
        return null;
    }

    /** Gives back all but so many bytes. */
    void keep(long bytes) {
        long before;
        do {
            before = held.get();
            if (before <= bytes) {
                return;
            }
        } while (!held.compareAndSet(before, bytes));
        back(before - bytes);
    }

    /** Gives so many bytes back; without any left, it does not wait any more. */
    public void give(long bytes) {
        long left = held() - bytes;
        if (left > 0) {
            keep(left);
        } else if (held.get() != EVICTED) {
            clear();
        }
    }

    /** Gives everything back; after an eviction it is as new. */
    public void clear() {
        waitsNoMore();
        long before = held.getAndSet(0);
        if (before > 0) {
            back(before);
        }
    }

    private void share(long bytes) {
        for (AddressShares.Share each : shares) {
            each.add(bytes);
        }
    }

    private void back(long bytes) {
        budget.give(bytes);
        share(-bytes);
    }

    /** From now on the client decides how long this is held. */
    public void waits(Runnable whenEvicted) {
        if (evicted == null) {
            passed.set(0);
            since = System.nanoTime();
            evicted = whenEvicted;
            budget.waits(this);
        }
    }

    public void waitsNoMore() {
        if (evicted != null) {
            evicted = null;
            budget.waitsNoMore(this);
        }
    }

    /** So many bytes more have come. */
    public void passed(long bytes) {
        passed.addAndGet(bytes);
    }

    /** Evicts the charge if its client is slow, and returns the bytes that this frees. */
    long evictIfSlow() {
        Runnable tell = evicted;
        long waited = System.nanoTime() - since;
        if (tell == null || waited < PATIENCE || passed.get() / (waited / PATIENCE) >= QUICK) {
            return 0;
        }
        long freed = held.getAndSet(EVICTED);
        if (freed <= 0) {
            held.compareAndSet(EVICTED, freed);
            return 0;
        }
        back(freed);
        tell.run();
        return freed;
    }
}
