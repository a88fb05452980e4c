// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** Settled entries by the second in which they are over, so that nobody has to read the others to find them. */
final class Expiry {

    static final long SECOND = 1_000_000_000L;

    private final ConcurrentSkipListMap<Long, Queue<Entry>> bySecond = new ConcurrentSkipListMap<>();

    /** The latest moment by which all that is due lies in seconds of its own. */
    static long endOfLastSecond(long now) {
        return Math.floorDiv(now, SECOND) * SECOND - 1;
    }

    void add(Entry entry) {
        if (entry.due() != Long.MAX_VALUE) {
            // The queue is confirmed after the entry was added: one that was taken out meanwhile is replaced, and this
            // runs again.
            bySecond.compute(Math.floorDiv(entry.due(), SECOND), (second, present) -> {
                Queue<Entry> queue = present == null ? new ConcurrentLinkedQueue<>() : present;
                queue.add(entry);
                return queue;
            });
        }
    }

    /** Hands over what is due by now, the earliest second first, until so many were accepted; gives their number. */
    int take(long now, int limit, Predicate<Entry> accept) {
        int taken = 0;
        for (Map.Entry<Long, Queue<Entry>> first :
                bySecond.headMap(Math.floorDiv(now, SECOND), true).entrySet()) {
            Queue<Entry> queue = first.getValue();
            Iterator<Entry> entries = queue.iterator();
            while (taken < limit && entries.hasNext()) {
                Entry entry = entries.next();
                if (entry.due() <= now) {
                    entries.remove();
                    taken += accept.test(entry) ? 1 : 0;
                }
            }
            if (taken == limit) {
                return taken;
            }
            drop(first.getKey(), queue);
        }
        return taken;
    }

    private void drop(long second, Queue<Entry> queue) {
        if (queue.isEmpty() && bySecond.remove(second, queue)) {
            // Whatever was added between the look and the removal.
            queue.forEach(this::add);
        }
    }
}
