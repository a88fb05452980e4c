// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Release;
import io.semel.store.Settlement.Renew;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Grants of two stores that count as one. The fence is the higher of the two, returned only once the other store's next
 * fence would be higher still.
 */
final class PairedGrants {

    private static final long MOST_MICROS_APART = 1_000_000;

    private final Store old;
    private final Store next;
    private final Time time;

    PairedGrants(Store old, Store next, Time time) {
        this.old = old;
        this.next = next;
        this.time = time;
    }

    /** Claims in the next store after a grant of the old one, and gives that grant back if the claim fails. */
    Claim claim(Call call, String holder, Duration lease, Claim.Granted first) {
        Claim second = claimNext(call, holder, lease, first);
        if (!(second instanceof Claim.Granted granted)) {
            giveBack(old, call.key(), holder, first);
            return second;
        }
        long told = Math.max(first.fence(), granted.fence());
        long apart = told - Math.min(first.fence(), granted.fence());
        if (apart > MOST_MICROS_APART || !hasPassed(told, first.fence() < told ? old : next, apart)) {
            giveBack(next, call.key(), holder, granted);
            giveBack(old, call.key(), holder, first);
            throw StoreException.changedNothing(
                    "The fences of the two stores for " + call.key() + " are " + apart
                            + " microseconds apart, so that a later fence could be lower than this one. Synchronise the"
                            + " clocks of both.",
                    null);
        }
        return new Claim.Granted(told, first.abandoned() || granted.abandoned());
    }

    private Claim claimNext(Call call, String holder, Duration lease, Claim.Granted first) {
        try {
            return next.claim(call, holder, lease);
        } catch (StoreException e) {
            try {
                giveBack(old, call.key(), holder, first);
            } catch (StoreException too) {
                e.addSuppressed(too);
                throw new StoreException(
                        "The old store granted " + call.key() + ", but the next one failed: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Waits until the clock of the store that is behind has passed a fence, so that its later fences are higher. */
    private boolean hasPassed(long fence, Store behind, long apart) {
        if (apart == 0) {
            return true;
        }
        long deadline = time.nanos() + 2 * MOST_MICROS_APART * 1_000;
        for (long micros = micros(behind.now()); micros <= fence; micros = micros(behind.now())) {
            if (time.nanos() - deadline > 0 || !slept(fence - micros + 1)) {
                return false;
            }
        }
        return true;
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    private boolean slept(long micros) {
        try {
            time.sleep(Duration.of(Math.min(micros, MOST_MICROS_APART), ChronoUnit.MICROS));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Nothing was done under this grant; an earlier holder's outcome may be in doubt, and stays so. */
    private static void giveBack(Store store, Key key, String holder, Claim.Granted granted) {
        store.settle(key, holder, granted.fence(), granted.abandoned() ? new Renew(Duration.ZERO) : new Release());
    }

    /** Settles in the old store first: callers are told that it is settled only after the next store has it as well. */
    boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Optional<Slot> first = ((Inspectable) old).look(key);
        Slot mine = heldBy(holder, first);
        Slot nextMine = heldBy(holder, ((Inspectable) next).look(key));
        if (nextMine == null || (mine == null && !isHalfWay(first, settlement))) {
            return false;
        }
        if (mine == null) {
            return nextMine.fence() <= fence && apply(next, nextMine, settlement);
        }
        return Math.max(mine.fence(), nextMine.fence()) == fence
                && apply(old, mine, settlement)
                && apply(next, nextMine, settlement);
    }

    private static @Nullable Slot heldBy(String holder, Optional<Slot> slot) {
        return slot.filter(each -> holder.equals(each.holder())).orElse(null);
    }

    /** Whether an earlier try has settled the old store, or this is a heartbeat after that. */
    private static boolean isHalfWay(Optional<Slot> first, Settlement settlement) {
        if (settlement instanceof Release) {
            return first.isEmpty();
        }
        return first.isPresent()
                && first.get().result() != null
                && (!(settlement instanceof Complete done)
                        || Arrays.equals(first.get().result(), done.result()));
    }

    private static boolean apply(Store store, Slot mine, Settlement settlement) {
        return store.settle(mine.key(), holderOf(mine), mine.fence(), settlement);
    }

    private static String holderOf(Slot held) {
        String holder = held.holder();
        if (holder == null) {
            throw new IllegalArgumentException("No holder has " + held + ".");
        }
        return holder;
    }
}
