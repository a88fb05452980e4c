// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Replaces a result in two stores that count as one; an interrupted amendment can be repeated. */
final class Amendments {

    private final Store old;
    private final Store next;
    private final SlotCopies copies;

    Amendments(Store old, Store next, SlotCopies copies) {
        this.old = old;
        this.next = next;
        this.copies = copies;
    }

    /**
     * Callers see the next store's result, so it decides whether that is still the observed one; the old store changes
     * first.
     */
    boolean amend(Key key, byte[] seen, Settlement verdict) {
        Claim.Settled second = settled(next, key);
        if (second != null && !Arrays.equals(second.result(), seen)) {
            return false;
        }
        Claim.Settled first = settled(old, key);
        byte[] replaced = first != null && isUnknown(first.result()) ? first.result() : seen;
        if (replaced != null && amend(old, key, replaced, verdict)) {
            amend(next, key, seen, verdict);
            return true;
        }
        return first == null ? amend(next, key, seen, verdict) : second != null && finish(key, seen, verdict, first);
    }

    /**
     * The old store already has an answer, which may have been replayed; the next store gets the same, whatever the
     * verdict is.
     */
    private boolean finish(Key key, byte[] seen, Settlement verdict, Claim.Settled first) {
        boolean finished = amend(next, key, seen, copies.complete(first));
        return finished
                && verdict instanceof Settlement.Complete complete
                && Arrays.equals(complete.result(), first.result());
    }

    private static boolean isUnknown(byte @Nullable [] result) {
        return Slot.State.ofResult(result) == Slot.State.UNKNOWN;
    }

    private static boolean amend(Store store, Key key, byte[] seen, Settlement verdict) {
        return ((Inspectable) store).amend(key, seen, verdict);
    }

    /** Null if there is no result. */
    private static Claim.@Nullable Settled settled(Store store, Key key) {
        return store.peek(key).orElse(null) instanceof Claim.Settled settled && settled.result() != null
                ? settled
                : null;
    }
}
