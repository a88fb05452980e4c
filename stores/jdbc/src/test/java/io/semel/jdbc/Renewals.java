// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Knows how often leases were renewed. */
final class Renewals extends ForwardingStore {

    private static final Duration MOST_WAITING = Duration.ofSeconds(30);

    private final Store store;
    private final Map<Key, Integer> renewed = new ConcurrentHashMap<>();

    Renewals(Store store) {
        super(store);
        this.store = store;
    }

    @Override
    public boolean commits() {
        return store.commits();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return settleAll(List.of(new Settling(key, holder, fence, settlement))).get(0);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        List<Boolean> applied = store.settleAll(settlings);
        for (int i = 0; i < settlings.size(); i++) {
            if (applied.get(i) && settlings.get(i).settlement() instanceof Settlement.Renew) {
                renewed.merge(settlings.get(i).key(), 1, Integer::sum);
            }
        }
        return applied;
    }

    /** Until the lease of that key was renewed so often from now on. */
    void await(int times, Key key) {
        int enough = renewed.getOrDefault(key, 0) + times;
        long end = System.nanoTime() + MOST_WAITING.toNanos();
        while (renewed.getOrDefault(key, 0) < enough) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(key + " was renewed " + renewed.get(key) + " times, not " + enough + ".");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
