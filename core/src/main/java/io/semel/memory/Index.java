// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Key;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Slot;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What is counted or looked for beside the entries, so that nobody reads all of them: each change of an entry is told here. */
final class Index {

    final Set<Key> inFlight = ConcurrentHashMap.newKeySet();
    final Set<Key> unknown = ConcurrentHashMap.newKeySet();
    final Expiry expiry = new Expiry();
    private final AtomicLong gone = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Under the lock of the entry's key; null stands for no entry. */
    void replaced(@Nullable Entry before, @Nullable Entry after) {
        track(inFlight, Slot.State.HELD, before, after);
        track(unknown, Slot.State.UNKNOWN, before, after);
        gone.addAndGet(count(after, Slot.State.GONE) - count(before, Slot.State.GONE));
        bytes.addAndGet((after == null ? 0 : after.bytes()) - (before == null ? 0 : before.bytes()));
        if (after != null) {
            expiry.add(after);
        }
    }

    private static void track(Set<Key> keys, Slot.State state, @Nullable Entry before, @Nullable Entry after) {
        if (after != null && after.written == state) {
            keys.add(after.key);
        } else if (before != null && before.written == state) {
            keys.remove(before.key);
        }
    }

    private static int count(@Nullable Entry entry, Slot.State state) {
        return entry != null && entry.written == state ? 1 : 0;
    }

    long bytes() {
        return bytes.get();
    }

    boolean hasRoom(long more, long most) {
        return bytes.get() + more <= most;
    }

    Counts counts(long held, long entries) {
        long lapsed = Math.max(0, inFlight.size() - held);
        long settled = Math.max(0, entries - inFlight.size() - unknown.size() - gone.get());
        return new Counts(held, lapsed, unknown.size(), settled, gone.get(), bytes.get());
    }
}
