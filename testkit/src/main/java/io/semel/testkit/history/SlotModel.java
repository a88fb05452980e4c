// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Claim.Granted;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Renew;
import io.semel.testkit.history.SlotOperation.Claiming;
import io.semel.testkit.history.SlotOperation.Elapsing;
import io.semel.testkit.history.SlotOperation.Peeking;
import io.semel.testkit.history.SlotOperation.Settling;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The laws of one slot as a pure function: what it is, and what it may be after an operation that was answered so.
 *
 * <p>Time passes only by {@link Elapsing}. Real time passes too, so the spans of a history should not end close to one
 * another. Of a span that a store tells, the model checks only whether anything remains; of fences, their order.
 */
public sealed interface SlotModel {

    /** A slot of which nothing is known. */
    static SlotModel free() {
        return new Free(Long.MIN_VALUE);
    }

    /**
     * What the slot may be after the operation: nothing if the laws forbid its answer, one state if it was answered, or
     * several if it was not.
     */
    default List<SlotModel> after(SlotOperation operation) {
        if (operation instanceof Claiming claiming) {
            return claimed(claiming);
        }
        if (operation instanceof Settling settling) {
            return settled(settling);
        }
        if (operation instanceof Peeking peeking) {
            return tells(peeking.answer()) ? List.of(this) : List.of();
        }
        return List.of(older(((Elapsing) operation).span()));
    }

    /** Where nobody is granted anything: the slot stays as it is. */
    default List<SlotModel> claimed(Claiming claiming) {
        return claiming.answer() == null || tells(claiming.answer()) ? List.of(this) : List.of();
    }

    /** Where nobody holds it: the slot stays as it is. */
    default List<SlotModel> settled(Settling settling) {
        return Boolean.TRUE.equals(settling.applied()) ? List.of() : List.of(this);
    }

    /** Whether somebody who is granted nothing may be told this; null says that the slot is free. */
    boolean tells(@Nullable Claim answer);

    SlotModel older(Duration span);

    /** Nobody has it; after a release, its fence is remembered. */
    record Free(long fence) implements SlotModel {

        @Override
        public List<SlotModel> claimed(Claiming claiming) {
            return Held.grant(this, claiming, fence, false);
        }

        @Override
        public boolean tells(@Nullable Claim answer) {
            return answer == null;
        }

        @Override
        public SlotModel older(Duration span) {
            return this;
        }
    }

    /**
     * Claimed and not settled; lapsed when nothing is left of its lease.
     *
     * @param guessed whether nobody saw the grant, so that the fence is only known to be this or higher
     */
    record Held(Fingerprint fingerprint, String holder, long fence, boolean guessed, boolean abandoned, Duration left)
            implements SlotModel {

        static List<SlotModel> grant(SlotModel before, Claiming claiming, long lastFence, boolean abandoned) {
            if (claiming.answer() == null) {
                return List.of(before, grant(claiming, lastFence + 1, true, abandoned));
            }
            boolean allowed = claiming.answer() instanceof Granted granted
                    && granted.fence() > lastFence
                    && granted.abandoned() == abandoned;
            return allowed
                    ? List.of(grant(claiming, ((Granted) claiming.answer()).fence(), false, abandoned))
                    : List.of();
        }

        private static Held grant(Claiming by, long fence, boolean guessed, boolean abandoned) {
            return new Held(by.fingerprint(), by.holder(), fence, guessed, abandoned, by.lease());
        }

        @Override
        public List<SlotModel> claimed(Claiming claiming) {
            if (claiming.holder().equals(holder)) {
                return repeated(claiming);
            }
            if (left.isZero() && claiming.fingerprint().equals(fingerprint)) {
                return grant(this, claiming, fence, true);
            }
            return SlotModel.super.claimed(claiming);
        }

        private List<SlotModel> repeated(Claiming claiming) {
            if (claiming.answer() == null) {
                return List.of(this, leased(claiming.lease()));
            }
            boolean allowed = claiming.answer() instanceof Granted granted
                    && (guessed ? granted.fence() >= fence : granted.fence() == fence)
                    && granted.abandoned() == abandoned;
            return allowed
                    ? List.of(grant(claiming, ((Granted) claiming.answer()).fence(), false, abandoned))
                    : List.of();
        }

        @Override
        public List<SlotModel> settled(Settling settling) {
            boolean otherGrant = guessed ? settling.fence() < fence : settling.fence() != fence;
            if (!settling.holder().equals(holder) || otherGrant) {
                return SlotModel.super.settled(settling);
            }
            SlotModel next = granted(settling.fence()).settled(settling.settlement());
            if (settling.applied() == null) {
                return List.of(this, next);
            }
            if (settling.applied()) {
                return List.of(next);
            }
            return guessed ? List.of(this) : List.of();
        }

        /** That it applied tells which fence the grant has that nobody saw. */
        private Held granted(long seen) {
            return new Held(fingerprint, holder, seen, false, abandoned, left);
        }

        private SlotModel settled(Settlement settlement) {
            if (settlement instanceof Complete complete) {
                Retention kept = complete.retention();
                return new Settled(fingerprint, complete, kept.retention(), kept.remembrance());
            }
            return settlement instanceof Renew renew ? leased(renew.lease()) : new Free(fence);
        }

        private Held leased(Duration lease) {
            return new Held(fingerprint, holder, fence, guessed, abandoned, lease);
        }

        @Override
        public boolean tells(@Nullable Claim answer) {
            return answer instanceof Claim.Held told
                    && told.fingerprint().equals(fingerprint)
                    && !told.remaining().isNegative()
                    && told.remaining().isZero() == left.isZero();
        }

        @Override
        public SlotModel older(Duration span) {
            return leased(minus(left, span));
        }
    }

    /** Completed; its result is gone when nothing is left of retention, and it is forgotten after remembrance. */
    record Settled(Fingerprint fingerprint, Complete done, Duration retention, Duration remembrance)
            implements SlotModel {

        @Override
        public boolean tells(@Nullable Claim answer) {
            return answer instanceof Claim.Settled told
                    && told.fingerprint().equals(fingerprint)
                    && Arrays.equals(told.result(), retention.isZero() ? null : done.result())
                    && told.remaining().compareTo(Duration.ZERO) > 0;
        }

        @Override
        public SlotModel older(Duration span) {
            Duration kept = minus(retention, span);
            Duration remembered = kept.isZero() ? minus(remembrance, minus(span, retention)) : remembrance;
            boolean forgotten = kept.isZero() && remembered.isZero();
            return forgotten ? free() : new Settled(fingerprint, done, kept, remembered);
        }
    }

    private static Duration minus(Duration left, Duration span) {
        if (left.equals(Retention.FOREVER)) {
            return left;
        }
        return left.compareTo(span) > 0 ? left.minus(span) : Duration.ZERO;
    }
}
