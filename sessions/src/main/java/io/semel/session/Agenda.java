// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Sessions by when to look at each again, so that what is due is found without going through the others. */
final class Agenda {

    private final ConcurrentNavigableMap<Entry, Requests> entries = new ConcurrentSkipListMap<>();
    private final AtomicLong order = new AtomicLong();
    private final AtomicInteger size = new AtomicInteger();

    /** Lists a session, which nobody else is at. */
    void add(Requests requests, long when) {
        Entry entry = new Entry(when, order.incrementAndGet());
        requests.listed(entry);
        entries.put(entry, requests);
        size.incrementAndGet();
    }

    /** Strikes a session off, which nobody else is at. */
    void remove(Requests requests) {
        Entry entry = requests.listed();
        if (entry != null && entries.remove(entry) != null) {
            size.decrementAndGet();
        }
    }

    /** The first one that is due, struck off; null where none is. */
    @Nullable
    Requests pollDue(long now) {
        Map.Entry<Entry, Requests> first = entries.firstEntry();
        while (first != null && first.getKey().when <= now) {
            if (entries.remove(first.getKey()) != null) {
                size.decrementAndGet();
                return first.getValue();
            }
            first = entries.firstEntry();
        }
        return null;
    }

    int size() {
        return size.get();
    }

    /** A place in the list. */
    record Entry(long when, long order) implements Comparable<Entry> {

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(when, other.when);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
