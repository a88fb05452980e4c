// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} that migrates from one store to another without losing a key: a claim is granted only if both grant
 * it, and an answer is returned only once both have it.
 *
 * <p>Deploy it everywhere, while other processes still use the old store alone; then {@link #move} the slots that only
 * the old store has, until nothing is left; then deploy the new store alone. At no time may some processes use only the
 * old store while others use only the new one. {@code docs/layers.md} describes the effect of each crash.
 *
 * <p>For stores that commit by themselves and list their slots. Its level is the weaker one of both. Fences keep rising
 * across the migration if both stores take them from their clocks, as all that survive their process do; a claim waits
 * until the clock that is behind has caught up, and is refused if that would take more than a second.
 */
public final class MigratingStore implements Store, Inspectable, Purgeable {

    private final Store old;
    private final Store next;
    private final PairedGrants grants;
    private final SlotCopies copies;
    private final Amendments amendments;
    private final MigrationViews views;
    /**
     * Two stores cannot be changed at the same moment; within a process, one caller waits until another is done with
     * both.
     */
    private final KeyLocks locks = new KeyLocks();

    private MigratingStore(Store old, Store next, Duration remembrance, Time time) {
        this.old = checked(old);
        this.next = checked(next);
        this.grants = new PairedGrants(old, next, time);
        this.copies = new SlotCopies(old, next, remembrance);
        this.amendments = new Amendments(old, next, copies);
        this.views = new MigrationViews((Inspectable) old, (Inspectable) next);
    }

    /**
     * Migrates from an old store to the next one.
     *
     * @param remembrance the longest remembrance of this service's operations; a store does not tell how long it will
     *     refuse a key after its retention, so copies get this one
     */
    public static MigratingStore of(Store old, Store next, Duration remembrance) {
        return of(old, next, remembrance, Time.system());
    }

    /** The same with another clock, for tests. */
    public static MigratingStore of(Store old, Store next, Duration remembrance, Time time) {
        return new MigratingStore(old, next, remembrance, time);
    }

    private static Store checked(Store store) {
        if (store.level() == Level.JOINED || !(store instanceof Inspectable)) {
            throw new IllegalArgumentException(store
                    + " cannot be migrated from or to: only stores that commit claims by themselves and list their"
                    + " slots can.");
        }
        return store;
    }

    /**
     * Copies all slots that only the old store has, except those held there, and finishes interrupted settlements:
     * answers that the old store has while the next one still has a held or unknown slot. When no process uses the old
     * store alone any more and nothing is left, the next one may be used alone.
     *
     * <p>Slots that a store does not list, such as keys of which it keeps only the hash, are not copied: wait instead
     * until their retention and remembrance have passed.
     */
    public Moved move() {
        return copies.move();
    }

    /**
     * The result of a {@link #move}.
     *
     * @param copied how many slots were copied
     * @param left how many could not be copied, because they are held in either store
     */
    public record Moved(long copied, long left) {}

    @Override
    public Level level() {
        return old.level().gives(next.level()) ? next.level() : old.level();
    }

    @Override
    public Instant now() {
        return next.now();
    }

    /** Every process asks the old store first, so that two claims cannot deadlock. */
    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return locks.withLock(call.key(), () -> claimBoth(call, holder, lease));
    }

    private Claim claimBoth(Call call, String holder, Duration lease) {
        Claim first = old.claim(call, holder, lease);
        if (first instanceof Claim.Granted granted) {
            return grants.claim(call, holder, lease, granted);
        }
        return first instanceof Claim.Settled settled ? copies.copy(call.key(), settled, holder, lease) : first;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return locks.withLock(key, () -> grants.settle(key, holder, fence, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return locks.withLock(key, () -> peekBoth(key));
    }

    private Optional<Claim> peekBoth(Key key) {
        Optional<Claim> second = next.peek(key);
        if (second.isPresent() && second.get() instanceof Claim.Settled) {
            return second;
        }
        Optional<Claim> first = old.peek(key);
        boolean toBeCopied = first.isPresent() && first.get() instanceof Claim.Settled && second.isPresent();
        return first.isEmpty() || toBeCopied ? second : first;
    }

    @Override
    public Optional<Slot> look(Key key) {
        return views.look(key);
    }

    /** First the slots that only the old store has, then those of the next one. */
    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return views.page(view, cursor, limit);
    }

    /** The slots of the next store; the old one counts its own. */
    @Override
    public Counts count() {
        return ((Inspectable) next).count();
    }

    /** May be repeated after an interruption between the two stores. */
    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return locks.withLock(key, () -> amendments.amend(key, seen, verdict));
    }

    /** A store that fails keeps the other from nothing; that it failed is thrown once the other has no whole batch left. */
    @Override
    public int purge(int limit) {
        int purged;
        try {
            purged = purge(old, limit);
        } catch (RuntimeException e) {
            if (purge(next, limit) == limit) {
                return limit;
            }
            throw e;
        }
        return purged + purge(next, limit - purged);
    }

    private static int purge(Store store, int limit) {
        return store instanceof Purgeable purgeable && limit > 0 ? purgeable.purge(limit) : 0;
    }

    @Override
    public String toString() {
        return "MigratingStore from " + old + " to " + next;
    }
}
