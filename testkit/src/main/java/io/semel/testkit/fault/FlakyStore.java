// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Any {@link Store} as seen by a process whose connection fails, and which crashes, exactly when a test wants it to:
 *
 * <pre>{@code
 * FlakyStore store = FlakyStore.on(new MemoryStore());
 * store.next(CrashPoint.AFTER_COMPLETE).fails();          // applied, but nobody hears of it
 * store.nth(3, CrashPoint.BEFORE_CLAIM).crashes();        // the process dies before its third claim
 * store.every(CrashPoint.BEFORE_RENEW).takes(Duration.ofSeconds(40));
 * store.next(CrashPoint.BEFORE_CLAIM).hangs();            // until what it returns is counted down
 * }</pre>
 *
 * <p>It is {@link Inspectable} and {@link Purgeable} exactly where the inner store is. The engine asks a second time when a
 * claim fails, and for a third of the lease when a completion does: to defeat it, use {@link #every} or {@link #down}.
 */
public sealed class FlakyStore implements Store permits InspectableFlakyStore, PurgeableFlakyStore {

    private final Store inner;
    private final Time time;
    private final Faults faults = new Faults();
    private final Lives lives = new Lives();
    private volatile @Nullable Level promised;
    private volatile Witness witness = Witness.NOBODY;
    private volatile boolean down;

    FlakyStore(Store inner, Time time) {
        this.inner = inner;
        this.time = time;
    }

    public static FlakyStore on(Store inner) {
        return on(inner, Time.system());
    }

    /** A flaky store whose delays follow the given time. */
    public static FlakyStore on(Store inner, Time time) {
        boolean purgeable = inner instanceof Purgeable;
        if (inner instanceof Inspectable) {
            return purgeable ? new FullFlakyStore(inner, time) : new InspectableFlakyStore(inner, time);
        }
        return purgeable ? new PurgeableFlakyStore(inner, time) : new FlakyStore(inner, time);
    }

    /** Says that it gives this level, so that operations which demand it can be tested on a store in memory. */
    public FlakyStore promising(Level level) {
        promised = level;
        return this;
    }

    /** What happens when this point is reached for the next time. */
    public Fault next(CrashPoint point) {
        return nth(1, point);
    }

    /** What happens when this point is reached for the nth time from now. */
    public Fault nth(int n, CrashPoint point) {
        if (n < 1) {
            throw new IllegalArgumentException("The first time is number 1, there is no number " + n + ".");
        }
        return new Fault(this, point, action -> faults.once(point, n, action));
    }

    /** What happens whenever this point is reached. */
    public Fault every(CrashPoint point) {
        return new Fault(this, point, action -> faults.always(point, action));
    }

    /** How many of the faults that were asked for have not happened; a test that ends with some tested less than it says. */
    public int pending() {
        return faults.pending();
    }

    /** Nothing goes wrong from now on that was asked for before. */
    public void heal() {
        faults.clear();
        down = false;
    }

    /** The store cannot be reached: every call fails, and changes nothing, until it is {@link #up} again. */
    public void down() {
        down = true;
    }

    public void up() {
        down = false;
    }

    /**
     * The process that uses this store dies: every call of it throws {@link SimulatedCrash}, its heartbeat does nothing,
     * and what it held stays held.
     */
    public void crash() {
        crash("The process was made to crash by the test");
    }

    public boolean crashed() {
        return lives.crashed();
    }

    /** Another process starts on the same store; attempts of the one that crashed stay dead. */
    public void restart() {
        lives.restart();
    }

    /** Lets the time pass, for crashed processes only, after which nobody believes in their leases; on any store. */
    public void letLeasesRunOut() {
        lives.leftBehind()
                .forEach((holder, claim) ->
                        inner.settle(claim.key(), holder, claim.fence(), new Settlement.Renew(Duration.ZERO)));
    }

    @Override
    public boolean commits() {
        return inner.commits();
    }

    @Override
    public Level level() {
        Level level = promised;
        return level == null ? inner.level() : level;
    }

    @Override
    public Instant now() {
        check();
        return inner.now();
    }

    @Override
    public Optional<Claim> peek(Key key) {
        check();
        return inner.peek(key);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        return claimAll(List.of(new Claiming(call, holder, lease))).get(0);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        for (Claiming each : claimings) {
            lives.holds(each.holder(), each.call().key());
            witness.asked(each.call());
            enter(CrashPoint.BEFORE_CLAIM, each.holder());
        }
        List<Claim> claims = claimings.size() == 1 ? List.of(claimInner(claimings.get(0))) : inner.claimAll(claimings);
        for (int i = 0; i < claims.size(); i++) {
            claimed(claimings.get(i), claims.get(i));
        }
        claimings.forEach(each -> leave(CrashPoint.AFTER_CLAIM, each.holder()));
        return claims;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return settleTogether(List.of(new Settling(key, holder, fence, settlement)))
                .get(0);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        boolean heartbeat = settlings.stream().allMatch(each -> each.settlement() instanceof Settlement.Renew);
        return heartbeat ? beat(settlings) : settleTogether(settlings);
    }

    @Override
    public String toString() {
        return "FlakyStore on " + inner;
    }

    Store inner() {
        return inner;
    }

    /** Throws if the process that this store stands for has crashed. */
    public void checkAlive() {
        lives.checkAlive();
    }

    /** What every call that has no crash point of its own goes through. */
    void check() {
        lives.checkAlive();
        if (down) {
            throw StoreException.changedNothing("The flaky store is down, as the test asked.", null);
        }
    }

    /** Tells this witness, instead of the one before it, everything that goes through the store. */
    public void watch(Witness other) {
        witness = other;
    }

    void die(CrashPoint point) {
        crash("The process crashed at " + point + ": " + point.situation());
        lives.checkAlive();
    }

    void sleep(Duration span) {
        try {
            time.sleep(span);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("The thread was interrupted while it waited for the flaky store.", e);
        }
    }

    /** As a thread that reads from a socket: it notices an interrupt only afterwards. */
    static void hang(CountDownLatch released) {
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A heartbeat has nobody to unwind: from a process that crashed it just does not count. */
    private List<Boolean> beat(List<Settling> settlings) {
        List<Settling> living =
                settlings.stream().filter(each -> !lives.isDead(each.holder())).toList();
        Iterator<Boolean> applied = beatOfTheLiving(living).iterator();
        return settlings.stream()
                .map(each -> living.contains(each) && applied.next())
                .toList();
    }

    private List<Boolean> beatOfTheLiving(List<Settling> living) {
        try {
            return living.isEmpty() ? List.of() : settleTogether(living);
        } catch (SimulatedCrash crash) {
            return living.stream().map(each -> false).toList();
        }
    }

    private List<Boolean> settleTogether(List<Settling> settlings) {
        settlings.forEach(each -> enter(CrashPoint.before(each.settlement()), each.holder()));
        List<Boolean> applied =
                settlings.size() == 1 ? List.of(settleInner(settlings.get(0))) : inner.settleAll(settlings);
        for (int i = 0; i < applied.size(); i++) {
            settled(settlings.get(i), applied.get(i));
        }
        settlings.forEach(each -> leave(CrashPoint.after(each.settlement()), each.holder()));
        return applied;
    }

    private void enter(CrashPoint point, String holder) {
        lives.checkAlive(holder);
        faults.reach(point);
        // Again, because a fault may have taken its time.
        lives.checkAlive(holder);
        check();
    }

    private void leave(CrashPoint point, String holder) {
        faults.reach(point);
        lives.checkAlive(holder);
    }

    private void crash(String when) {
        lives.crash(when);
        witness.crashed(when);
    }

    private Claim claimInner(Claiming one) {
        return inner.claim(one.call(), one.holder(), one.lease());
    }

    private boolean settleInner(Settling one) {
        return inner.settle(one.key(), one.holder(), one.fence(), one.settlement());
    }

    private void claimed(Claiming claiming, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            lives.granted(claiming.holder(), granted.fence());
        } else {
            lives.ended(claiming.holder());
        }
        witness.claimed(claiming.call(), claim);
    }

    private void settled(Settling settling, boolean applied) {
        if (!(settling.settlement() instanceof Settlement.Renew)) {
            lives.ended(settling.holder());
        }
        witness.settled(settling.key(), settling.settlement(), applied);
    }
}
