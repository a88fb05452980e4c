// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Inspectable;
import io.semel.Key;
import io.semel.Level;
import io.semel.Purgeable;
import io.semel.Settlement;
import io.semel.Slot;
import io.semel.Store;
import io.semel.StoreException;
import io.semel.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} in this process's memory: bounded, quick, and gone with the process, so its level is BEST_EFFORT.
 *
 * <p>It is bounded by bytes. When it is full it drops what has expired and then refuses new keys; it never forgets a live
 * one. A call that was granted may always settle, so answers of calls in flight can exceed the bound by their own size.
 */
public final class MemoryStore implements Store, Inspectable, Purgeable {

    private static final int STRIPES = 256;
    private static final long PURGE_PAUSE = Duration.ofSeconds(1).toNanos();

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final Hash hash = new Hash();
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong nextPurge = new AtomicLong();
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
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(used, mostBytes);
        }
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
        Address address = address(call.key());
        Claim claim = stripe(address).claim(address, call, holder, lease.toNanos(), nanos());
        if (claim == null && purgeBecauseFull()) {
            claim = stripe(address).claim(address, call, holder, lease.toNanos(), nanos());
        }
        if (claim == null) {
            throw full(call.key());
        }
        return claim;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Address address = address(key);
        return stripe(address).settle(address, holder, fence, settlement, nanos());
    }

    @Override
    public Optional<Claim> peek(Key key) {
        Address address = address(key);
        return Optional.ofNullable(stripe(address).peek(address, nanos()));
    }

    @Override
    public Optional<Slot> look(Key key) {
        Address address = address(key);
        long now = nanos();
        return Optional.ofNullable(stripe(address).look(address, now)).map(cell -> Slots.of(cell, now));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        Slots slots = new Slots(view, cursor, limit, hash, nanos());
        for (Stripe stripe : stripes) {
            stripe.forEach(nanos(), slots::consider);
        }
        return slots.page();
    }

    @Override
    public Counts count() {
        long now = nanos();
        Map<Slot.State, Long> slots = new EnumMap<>(Slot.State.class);
        for (Stripe stripe : stripes) {
            stripe.forEach(now, cell -> slots.merge(Slots.state(cell, now), 1L, Long::sum));
        }
        return Counts.of(slots, used.get());
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        if (verdict instanceof Settlement.Renew) {
            throw new IllegalArgumentException("A settled slot has no lease to renew; amend with Complete or Release.");
        }
        Address address = address(key);
        return stripe(address).amend(address, seen, verdict, nanos());
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        for (int i = 0; i < STRIPES && purged < limit; i++) {
            purged += stripes[i].purge(limit - purged, nanos());
        }
        return purged;
    }

    /** Looking at every slot takes long where there are many, so a full store does it at most once a second. */
    private boolean purgeBecauseFull() {
        long now = nanos();
        long due = nextPurge.get();
        return now >= due && nextPurge.compareAndSet(due, now + PURGE_PAUSE) && purge(Integer.MAX_VALUE) > 0;
    }

    private StoreException full(Key key) {
        return StoreException.changedNothing(
                "The memory store is full: " + used.get() + " of " + most + " bytes hold live keys, so " + key
                        + " was not claimed. Give it more bytes, shorten the retention, or use a store on disk.",
                null);
    }

    private Address address(Key key) {
        return new Address(key, hash);
    }

    private Stripe stripe(Address address) {
        return stripes[address.stripe(STRIPES)];
    }

    private long nanos() {
        return time.nanos() - origin;
    }
}
