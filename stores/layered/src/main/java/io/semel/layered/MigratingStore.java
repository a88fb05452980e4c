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
 * A {@link Store} on the way from one store to another, without losing a key: a claim is granted only where both grant it, and
 * nobody is told that a call is settled before both know.
 *
 * <p>Deploy it everywhere, while others still use the old store alone; then {@link #move} what only the old one knows, until
 * nothing is left; then deploy the new store alone. At no time may some use the old one alone and others the new one alone.
 * {@code docs/layers.md} tells what each crash does.
 *
 * <p>For stores that commit by themselves and show their slots. Its level is the weaker one of both. Fences go on rising across
 * the move where both stores take them from their clocks, as all that survive their process do; a claim waits until the clock
 * that is behind has caught up, and is refused where that would take more than a second.
 */
public final class MigratingStore implements Store, Inspectable, Purgeable {

    private final Store old;
    private final Store next;
    private final Grants grants;
    private final Copies copies;
    private final Amends amends;
    private final Sights sights;
    /** Two stores cannot be told at the same moment; within a process one waits for the other to be through with both. */
    private final Turns turns = new Turns();

    private MigratingStore(Store old, Store next, Duration remembrance, Time time) {
        this.old = checked(old);
        this.next = checked(next);
        this.grants = new Grants(old, next, time);
        this.copies = new Copies(old, next, remembrance);
        this.amends = new Amends(old, next, copies);
        this.sights = new Sights((Inspectable) old, (Inspectable) next);
    }

    /**
     * From an old store to the next one.
     *
     * @param remembrance the longest that this service's operations ask for; a store does not tell how long it will refuse a
     *     key after its retention, so copies are given this
     */
    public static MigratingStore of(Store old, Store next, Duration remembrance) {
        return of(old, next, remembrance, Time.system());
    }

    /** The same by another time, for tests. */
    public static MigratingStore of(Store old, Store next, Duration remembrance, Time time) {
        return new MigratingStore(old, next, remembrance, time);
    }

    private static Store checked(Store store) {
        if (store.level() == Level.JOINED || !(store instanceof Inspectable)) {
            throw new IllegalArgumentException(store
                    + " can be neither left nor moved to: only stores that commit claims by themselves and show their"
                    + " slots can.");
        }
        return store;
    }

    /**
     * Copies everything that only the old store knows, except what is held there, and finishes what was interrupted between the
     * two: an answer that the old store has and the next one still waits for, or calls unknown. When nobody uses the old store
     * alone any more and nothing is left, the next one alone may be used.
     *
     * <p>What a store does not list, such as keys of which it keeps only the hash, is not copied: wait instead until its
     * retention and remembrance have passed.
     */
    public Moved move() {
        return copies.move();
    }

    /**
     * What a {@link #move} came to.
     *
     * @param copied how many slots the next store knows now and did not know before
     * @param left how many it still does not know, because they are held in either store
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

    /** The old store is asked first, by everybody, so that two claims never wait for each other. */
    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return turns.inTurn(call.key(), () -> claimBoth(call, holder, lease));
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
        return turns.inTurn(key, () -> grants.settle(key, holder, fence, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return turns.inTurn(key, () -> peekBoth(key));
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
        return sights.look(key);
    }

    /** First what only the old store knows, then what the next one knows. */
    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return sights.page(view, cursor, limit);
    }

    /** What the next store knows; the old one counts its own. */
    @Override
    public Counts count() {
        return ((Inspectable) next).count();
    }

    /** Where it was interrupted between the two stores, it can be repeated. */
    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return turns.inTurn(key, () -> amends.amend(key, seen, verdict));
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
