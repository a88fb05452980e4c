// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in this process's memory: bounded, quick, and gone with the process, so its level is BEST_EFFORT.
 *
 * <p>It is bounded by bytes. When it is full it drops what has expired and then refuses new keys; it never forgets a live
 * one. A call that was granted may always settle, so answers of calls in flight can exceed the bound by their own size.
 */
public final class MemoryStore implements Store, Inspectable, Purgeable {

    /** How many expired entries each new key pays for; each expires twice, and dropping must outrun adding. */
    private static final int SWEPT = 4;
    /** Beyond so many that are over and not yet dropped, counts of settled and gone are estimates. */
    private static final int MOST_EXPIRED_BY_COUNT = 10_000;

    private static final int LOCKS = 256;

    /** Read by anyone, written only under the {@link #lock} of the key. */
    private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();

    private final Index index = new Index();
    private final AtomicLong fences = new AtomicLong();
    private final AtomicLong nextPurge = new AtomicLong(Long.MIN_VALUE);
    private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();
    private final long most;
    private final Time time;
    private final long origin;
    private final Instant born;

    /** A store that takes up to a quarter of the heap. */
    public MemoryStore() {
        this(Runtime.getRuntime().maxMemory() / 4);
    }

    public MemoryStore(long mostBytes) {
        this(mostBytes, Time.system());
    }

    /** A store that follows the given time; for tests. */
    public MemoryStore(long mostBytes, Time time) {
        this.most = mostBytes;
        this.time = time;
        this.origin = time.nanos();
        this.born = Instant.now();
    }

    @Override
    public Level level() {
        return Level.BEST_EFFORT;
    }

    @Override
    public Instant now() {
        return born.plusNanos(nanos());
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        Entry known = entries.get(call.key());
        long now = nanos();
        // Most claims on a known key are retries of a settled one, which never changes: they need no lock.
        if (known != null && !known.isHeld() && known.at(now) == known) {
            return known.claim(now);
        }
        if (known == null) {
            makeRoom(Entry.held(call, holder, 0, 1, now, now), now);
        }
        synchronized (lock(call.key())) {
            return claimLocked(call, holder, lease.toNanos());
        }
    }

    private Claim claimLocked(Call call, String holder, long lease) {
        long now = nanos();
        Entry entry = current(call.key(), now);
        if (entry == null) {
            return grant(Entry.held(call, holder, fences.incrementAndGet(), 1, now, now + lease), null);
        }
        if (entry.isHeldBy(holder)) {
            return grant(entry.renewed(now + lease), entry);
        }
        if (entry.state(now) == Slot.State.LAPSED && entry.fingerprint.equals(call.fingerprint())) {
            int attempts = entry.attempts + 1;
            return grant(Entry.held(call, holder, fences.incrementAndGet(), attempts, now, now + lease), entry);
        }
        return entry.claim(now);
    }

    private Claim grant(Entry granted, @Nullable Entry before) {
        if (before == null && !index.hasRoom(granted.bytes(), most)) {
            throw full(granted.key);
        }
        replace(granted.key, before, granted);
        return new Claim.Granted(granted.fence, granted.attempts > 1);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        synchronized (lock(key)) {
            Entry entry = entries.get(key);
            if (entry == null || entry.fence != fence || !entry.isHeldBy(holder)) {
                return false;
            }
            apply(entry, settlement);
            return true;
        }
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        Inspectable.checkVerdict(verdict);
        synchronized (lock(key)) {
            Entry entry = current(key, nanos());
            if (entry == null || entry.result == null || !Arrays.equals(entry.result, seen)) {
                return false;
            }
            apply(entry, verdict);
            return true;
        }
    }

    private void apply(Entry entry, Settlement settlement) {
        long now = nanos();
        if (settlement instanceof Settlement.Complete complete) {
            replace(entry.key, entry, entry.settled(complete, now));
        } else if (settlement instanceof Settlement.Renew renew) {
            replace(entry.key, entry, entry.renewed(now + renew.lease().toNanos()));
        } else {
            replace(entry.key, entry, null);
        }
    }

    @Override
    public Optional<Claim> peek(Key key) {
        long now = nanos();
        return Optional.ofNullable(entries.get(key)).map(entry -> entry.at(now)).map(entry -> entry.claim(now));
    }

    @Override
    public Optional<Slot> look(Key key) {
        long now = nanos();
        return Optional.ofNullable(entries.get(key)).map(entry -> entry.at(now)).map(entry -> entry.slot(now));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        long now = nanos();
        Stream<Entry> shown = switch (view) {
            case IN_FLIGHT -> of(index.inFlight).filter(Entry::isHeld);
            case UNKNOWN -> of(index.unknown).filter(entry -> entry.state(now) == Slot.State.UNKNOWN);
            case OLDEST -> entries.values().stream().filter(entry -> entry.at(now) != null);
        };
        return Slots.page(shown, cursor, limit, now);
    }

    /** Reads only what is in flight. */
    @Override
    public Counts count() {
        long now = nanos();
        drop(MOST_EXPIRED_BY_COUNT, now, now);
        long held = of(index.inFlight)
                .filter(entry -> entry.state(now) == Slot.State.HELD)
                .count();
        return index.counts(held, entries.mappingCount());
    }

    private Stream<Entry> of(Set<Key> keys) {
        return keys.stream().map(entries::get).filter(Objects::nonNull);
    }

    @Override
    public int purge(int limit) {
        long now = nanos();
        return drop(limit, now, now);
    }

    /** Every new key drops some that are over, so that a store that nobody purges stays small; a full one drops all. */
    private void makeRoom(Entry wanted, long now) {
        if (index.hasRoom(wanted.bytes(), most)) {
            drop(SWEPT, Expiry.endOfLastSecond(now), now);
        } else if (isPurgeDue(now)) {
            drop(Integer.MAX_VALUE, now, now);
        }
    }

    /** At most once a second, because what is over within this second lies among what is not. */
    private boolean isPurgeDue(long now) {
        long due = nextPurge.get();
        return now >= due && nextPurge.compareAndSet(due, now + Expiry.SECOND);
    }

    private int drop(int limit, long due, long now) {
        return index.expiry.take(due, limit, entry -> expire(entry, now));
    }

    private boolean expire(Entry entry, long now) {
        synchronized (lock(entry.key)) {
            // Else an operator has amended it, or a claim has found before that it is over.
            boolean present = entries.get(entry.key) == entry;
            if (present) {
                current(entry.key, now);
            }
            return present;
        }
    }

    /** What time has left of the key's entry, under its lock. */
    private @Nullable Entry current(Key key, long now) {
        Entry entry = entries.get(key);
        Entry current = entry == null ? null : entry.at(now);
        if (entry != current) {
            replace(key, entry, current);
        }
        return current;
    }

    /** Under the lock of the key; null stands for no entry. */
    private void replace(Key key, @Nullable Entry before, @Nullable Entry after) {
        if (after == null) {
            entries.remove(key);
        } else {
            entries.put(key, after);
        }
        index.replaced(before, after);
    }

    private StoreException full(Key key) {
        return StoreException.changedNothing(
                "The memory store is full: " + index.bytes() + " of " + most + " bytes hold live keys, so " + key
                        + " was not claimed. Give it more bytes, shorten the retention, or use a store on disk.",
                null);
    }

    private Object lock(Key key) {
        int hash = key.hashCode();
        return locks[(hash ^ hash >>> 16) & (LOCKS - 1)];
    }

    private long nanos() {
        return time.nanos() - origin;
    }
}
