// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Store} with a cache of {@link Answers} in front of it: the store decides, and its settled answers are
 * replayed from the cache until they are no longer fresh.
 *
 * <p>Only claims answered by the store itself fill the cache, never a settle; so it contains nothing that was not
 * committed. Claims, unknown outcomes and keys whose answer is gone are always left to the store. If the cache is lost,
 * late or unavailable, the store is asked instead.
 *
 * <p>It is {@link Inspectable} and {@link Purgeable} exactly if the store is.
 */
public sealed class CachedStore implements Store {

    private static final Duration FRESH_FOR = Duration.ofMinutes(1);

    private final Store store;
    private final Layer layer;
    private final Breaker answers;

    private CachedStore(Store store, Layer layer) {
        this.store = store;
        this.layer = layer;
        this.answers = layer.answers;
    }

    /**
     * A store that replays answers from the cache for up to a minute.
     *
     * <p>A store whose caller commits ({@link Store#commits}) may see a record that is rolled back later. Over such a
     * store the cache is read, and filled only {@link #filledAfterCommit after commits}.
     */
    public static CachedStore over(Store store, Answers answers) {
        if (store instanceof SessionStore) {
            throw new IllegalArgumentException(store
                    + " is a store of sessions, whose claims also move the client\'s mark: a cache in front of it would"
                    + " hide them. Cache keys only, and open sessions on the system of record.");
        }
        Consumer<Runnable> filling = store.commits() ? Runnable::run : CachedStore::doNothing;
        return new Layer(Breaker.around(answers), FRESH_FOR, filling, Time.system()).over(store);
    }

    /**
     * How long an answer is replayed without request the store again. It bounds how long an amendment made elsewhere
     * goes unseen here.
     */
    public CachedStore freshFor(Duration span) {
        if (span.isNegative() || span.isZero()) {
            throw new IllegalArgumentException("An answer is fresh for more than zero time, not for " + span + ".");
        }
        return new Layer(answers, span, layer.filling, layer.time).over(store);
    }

    /**
     * Fills the cache also over a store whose caller commits.
     *
     * @param afterCommit runs an action when the caller's transaction has committed, and never if it is rolled back
     */
    public CachedStore filledAfterCommit(Consumer<Runnable> afterCommit) {
        return new Layer(answers, layer.freshFor, afterCommit, layer.time).over(store);
    }

    /** The same with another clock, for tests; the cache must use it too. */
    public CachedStore timedBy(Time other) {
        return new Layer(answers, layer.freshFor, layer.filling, other).over(store);
    }

    /**
     * The store that decides, under all caches. Sessions belong beside it: they go to the system of record and are never
     * answered from a cache.
     */
    public Store systemOfRecord() {
        return store instanceof CachedStore layered ? layered.systemOfRecord() : store;
    }

    @Override
    public Level level() {
        return store.level();
    }

    @Override
    public boolean commits() {
        return store.commits();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public Instant now(Key held) {
        return store.now(held);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Optional<Claim.Settled> known = answers.get(call.key());
        if (known.isPresent()) {
            return known.get();
        }
        StoreRequest request = new StoreRequest();
        Claim claim = store.claim(call, holder, lease);
        request.keep(call.key(), claim);
        return claim;
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        List<Optional<Claim.Settled>> known =
                answers.getAll(claimings.stream().map(each -> each.call().key()).toList());
        List<Claiming> unknown = new ArrayList<>();
        for (int i = 0; i < claimings.size(); i++) {
            if (known.get(i).isEmpty()) {
                unknown.add(claimings.get(i));
            }
        }
        Iterator<Claim> told = ask(unknown).iterator();
        List<Claim> claims = new ArrayList<>(claimings.size());
        known.forEach(each -> claims.add(each.isPresent() ? each.get() : told.next()));
        return claims;
    }

    private List<Claim> ask(List<Claiming> claimings) {
        if (claimings.isEmpty()) {
            return List.of();
        }
        StoreRequest request = new StoreRequest();
        List<Claim> claims = store.claimAll(claimings);
        for (int i = 0; i < claims.size(); i++) {
            request.keep(claimings.get(i).call().key(), claims.get(i));
        }
        return claims;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return store.settle(key, holder, fence, settlement);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return store.settleAll(settlings);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        Optional<Claim.Settled> known = answers.get(key);
        if (known.isPresent()) {
            return Optional.of(known.get());
        }
        StoreRequest request = new StoreRequest();
        Optional<Claim> found = store.peek(key);
        found.ifPresent(claim -> request.keep(key, claim));
        return found;
    }

    @Override
    public String toString() {
        return "CachedStore over " + store;
    }

    Store store() {
        return store;
    }

    void amended(Key key) {
        layer.amendments.incrementAndGet();
        answers.forget(key);
    }

    private static void doNothing(Runnable filling) {}

    /** The cache in front of a store, and its settings. */
    private record Layer(
            Breaker answers, Duration freshFor, Consumer<Runnable> filling, Time time, AtomicLong amendments) {

        Layer(Breaker answers, Duration freshFor, Consumer<Runnable> filling, Time time) {
            this(answers, freshFor, filling, time, new AtomicLong());
        }

        CachedStore over(Store store) {
            boolean purgeable = store instanceof Purgeable;
            if (store instanceof Inspectable) {
                return purgeable ? new ShownAndPurged(store, this) : new Shown(store, this);
            }
            return purgeable ? new Purged(store, this) : new CachedStore(store, this);
        }
    }

    /** A request to the store, begun before it is sent. */
    private final class StoreRequest {

        private final long asked = layer.time.nanos();
        private final long amendments = layer.amendments.get();

        void keep(Key key, Claim claim) {
            if (claim instanceof Claim.Settled settled && Slot.State.ofResult(settled.result()) == Slot.State.SETTLED) {
                layer.filling.accept(() -> fill(key, settled));
            }
        }

        private void fill(Key key, Claim.Settled settled) {
            answers.put(key, settled, layer.freshFor, asked);
            if (layer.amendments.get() != amendments) {
                // The store's answer may be older than the amendment, and may have been cached after the amendment
                // removed it.
                answers.forget(key);
            }
        }
    }

    private static sealed class Shown extends CachedStore implements Inspectable {

        Shown(Store store, Layer layer) {
            super(store, layer);
        }

        @Override
        public Optional<Slot> look(Key key) {
            return slots().look(key);
        }

        @Override
        public Page page(View view, @Nullable String cursor, int limit) {
            return slots().page(view, cursor, limit);
        }

        @Override
        public Counts count() {
            return slots().count();
        }

        @Override
        public boolean amend(Key key, byte[] seen, Settlement verdict) {
            try {
                return slots().amend(key, seen, verdict);
            } finally {
                amended(key);
            }
        }

        private Inspectable slots() {
            return (Inspectable) store();
        }
    }

    private static final class ShownAndPurged extends Shown implements Purgeable {

        ShownAndPurged(Store store, Layer layer) {
            super(store, layer);
        }

        @Override
        public int purge(int limit) {
            return ((Purgeable) store()).purge(limit);
        }
    }

    private static final class Purged extends CachedStore implements Purgeable {

        Purged(Store store, Layer layer) {
            super(store, layer);
        }

        @Override
        public int purge(int limit) {
            return ((Purgeable) store()).purge(limit);
        }
    }
}
