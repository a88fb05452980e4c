// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import io.semel.Key;
import io.semel.store.Store;
import io.semel.testkit.history.HistoryChecker.Event;
import io.semel.testkit.history.SlotOperation.Elapsing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.opentest4j.AssertionFailedError;

/**
 * What many threads did to a store and were told, recorded while they did it, to be checked against the laws afterwards.
 *
 * <p>Each slot is checked by itself. A slot must be new when its history begins, and is to be used only through handles
 * that this history watches.
 */
public final class History {

    private final ConcurrentMap<Key, Queue<Event>> events = new ConcurrentHashMap<>();
    private final Queue<Event> elapsed = new ConcurrentLinkedQueue<>();
    private final AtomicLong clock = new AtomicLong();

    /** The same store, but whatever is done through it becomes part of this history. */
    public Store watch(Store store) {
        return new WatchedStore(store, this);
    }

    /** Does what makes everything in the store older by this span, and records it. */
    public void elapse(Duration span, Runnable elapse) {
        long began = tick();
        elapse.run();
        elapsed.add(event(began, tick(), new Elapsing(span)));
    }

    /** Everything that happened to one slot, in the order in which it began. */
    public List<Event> of(Key key) {
        List<Event> all = new ArrayList<>(elapsed);
        all.addAll(events.getOrDefault(key, new ConcurrentLinkedQueue<>()));
        all.sort(Comparator.comparingLong(Event::began));
        return all;
    }

    /** Fails if any slot was told something that the laws do not allow. */
    public void check() {
        for (Key key : events.keySet()) {
            String objection = HistoryChecker.objection(of(key));
            if (!objection.isEmpty()) {
                throw new AssertionFailedError(key + ": " + objection);
            }
        }
    }

    long tick() {
        return clock.incrementAndGet();
    }

    void record(Key key, long began, long ended, SlotOperation operation) {
        events.computeIfAbsent(key, unused -> new ConcurrentLinkedQueue<>()).add(event(began, ended, operation));
    }

    private static Event event(long began, long ended, SlotOperation operation) {
        return new Event(Thread.currentThread().getName(), began, ended, operation);
    }
}
