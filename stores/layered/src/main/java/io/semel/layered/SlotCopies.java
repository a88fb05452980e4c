// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Copies the old store's slots to the next one. */
final class SlotCopies {

    private static final int AT_ONCE = 500;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration SHORTEST = Duration.ofNanos(1);

    private final Store old;
    private final Store next;
    private final Duration remembrance;

    SlotCopies(Store old, Store next, Duration remembrance) {
        this.old = old;
        this.next = next;
        this.remembrance = remembrance;
    }

    /** The answer for a key that the old store has settled: the same, and only once the next store has it too. */
    Claim copy(Key key, Claim.Settled settled, String holder, Duration lease) {
        Claim claim = next.claim(Call.of(key, settled.fingerprint()), holder, lease);
        if (claim instanceof Claim.Settled known && isToBeReplaced(known, settled)) {
            return replace(key, known, settled);
        }
        if (!(claim instanceof Claim.Granted granted)) {
            return claim;
        }
        if (!next.settle(key, holder, granted.fence(), complete(settled))) {
            throw new StoreException(
                    "The old store\'s slot of " + key + " could not be copied, because the lease of the copy ran out.",
                    null);
        }
        return settled;
    }

    /** An outcome is not unknown if the old store has its answer: a completion or an amendment ended between the two. */
    private static boolean isToBeReplaced(Claim.Settled known, Claim.Settled settled) {
        return Slot.State.ofResult(known.result()) == Slot.State.UNKNOWN
                && Slot.State.ofResult(settled.result()) == Slot.State.SETTLED
                && known.fingerprint().equals(settled.fingerprint());
    }

    private Claim replace(Key key, Claim.Settled known, Claim.Settled settled) {
        byte[] unknown = known.result();
        if (unknown == null || !((Inspectable) next).amend(key, unknown, complete(settled))) {
            throw new StoreException(
                    "The unknown outcome of " + key + " changed while it was being resolved; try again.", null);
        }
        return settled;
    }

    Settlement complete(Claim.Settled settled) {
        byte[] result = settled.result();
        Duration remaining = settled.remaining().isZero() ? SHORTEST : settled.remaining();
        return result == null
                ? Settlement.Complete.notRetained(Retention.of(SHORTEST, remaining))
                : new Settlement.Complete(result, Retention.of(remaining, remembrance));
    }

    MigratingStore.Moved move() {
        long copied = 0;
        long left = 0;
        String cursor = null;
        do {
            Inspectable.Page page = ((Inspectable) old).page(Inspectable.View.OLDEST, cursor, AT_ONCE);
            for (Slot slot : page.slots()) {
                if (!isKnown(slot)) {
                    boolean known = isNamed(slot) && move(slot);
                    copied += known ? 1 : 0;
                    left += known ? 0 : 1;
                }
            }
            cursor = page.next();
        } while (cursor != null);
        return new MigratingStore.Moved(copied, left);
    }

    /** Whether the slot is found by its listed key; a store that hides keys lists others. */
    private boolean isNamed(Slot slot) {
        return ((Inspectable) old).look(slot.key()).isPresent();
    }

    /** Whether the next store has at least the old one's state; a held slot there is no answer yet. */
    private boolean isKnown(Slot slot) {
        Claim known = next.peek(slot.key()).orElse(null);
        if (known instanceof Claim.Settled settled) {
            return !isToBeReplaced(settled, settled(slot));
        }
        boolean unsettled = slot.state() == Slot.State.HELD || slot.state() == Slot.State.LAPSED;
        return known != null && unsettled;
    }

    /** Whether the next store has the slot afterwards. */
    private boolean move(Slot slot) {
        String holder = "move-" + UUID.randomUUID();
        return switch (slot.state()) {
            case HELD -> false;
            case LAPSED -> abandon(slot, holder);
            case UNKNOWN, SETTLED, GONE -> copy(slot.key(), settled(slot), holder, LEASE) instanceof Claim.Settled;
        };
    }

    private static Claim.Settled settled(Slot slot) {
        byte @Nullable [] result = slot.result();
        return new Claim.Settled(slot.fingerprint(), result, slot.remaining());
    }

    /** Makes the slot abandoned in the next store too, unless the old one has moved on. */
    private boolean abandon(Slot slot, String holder) {
        Claim claim = next.claim(Call.of(slot.key(), slot.fingerprint()), holder, LEASE);
        if (!(claim instanceof Claim.Granted granted)) {
            return true;
        }
        Optional<Slot> now = ((Inspectable) old).look(slot.key());
        boolean stillSo = now.isPresent()
                && now.get().state() == Slot.State.LAPSED
                && now.get().fence() == slot.fence();
        Settlement settlement =
                stillSo || granted.abandoned() ? new Settlement.Renew(Duration.ZERO) : new Settlement.Release();
        return next.settle(slot.key(), holder, granted.fence(), settlement) && stillSo;
    }
}
