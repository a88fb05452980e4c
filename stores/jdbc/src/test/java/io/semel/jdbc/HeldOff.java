// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Knows which threads were told that a key is held. */
final class HeldOff extends ForwardingStore {

    private static final Duration MOST_WAITING = Duration.ofSeconds(30);

    private final Store store;
    private final Set<Told> told = ConcurrentHashMap.newKeySet();

    HeldOff(Store store) {
        super(store);
        this.store = store;
    }

    @Override
    public boolean commits() {
        return store.commits();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim claim = super.claim(call, holder, lease);
        if (claim instanceof Claim.Held) {
            told.add(new Told(call.key(), Thread.currentThread()));
        }
        return claim;
    }

    /** Until so many threads were told so of that key. */
    void await(int threads, Key key) {
        long end = System.nanoTime() + MOST_WAITING.toNanos();
        while (count(key) < threads) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(count(key) + " were held off, not " + threads + ".");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private long count(Key key) {
        return told.stream().filter(each -> each.key.equals(key)).count();
    }

    private record Told(Key key, Thread thread) {}
}
