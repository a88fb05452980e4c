// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

/**
 * What must hold in every run. A <em>life</em> of a key begins with a grant on a free slot and ends when the slot is
 * released, by its holder or by an operator, or when retention and remembrance are over; within it the key is one and the
 * same thing to be done. All times are the store's.
 */
public enum Invariant {
    /** The store's answers keep its laws, S1 to S13; the story names the law. */
    STORE_LAW,
    /**
     * Work begins only under a grant that the store gave to this very call and whose answer arrived; a claim that threw
     * runs nothing (fail closed), and one grant begins work at most once.
     */
    GRANTED,
    /** While work runs under a good lease, no other call is granted its key and begins work. */
    ALONE,
    /** All answers of one life are identical, byte for byte: what was recorded is what is given, at first and ever after. */
    ONE_ANSWER,
    /** At most one caller per life is told that its own work is the answer; all others are told that it is replayed. */
    ONE_FRESH,
    /** Within a life all work is for one fingerprint, and no other fingerprint is given an answer. */
    FINGERPRINT,
    /** Under REFUSE only the first grant of a life begins work: after a silent holder nobody does, unless an operator frees the key. */
    REFUSED,
    /** Under RECONCILE a later grant of a life begins work only after the hook said, to that very attempt, that it did not happen. */
    RECONCILED,
    /** Fences of one key strictly rise from grant to grant. */
    FENCE_RISES,
    /** A downstream that checks fences accepts nothing of a life after the answer that stands, and its state is that answer. */
    FENCED,
    /**
     * At most one effect per life reaches the outside world, and none in a life that ends by a Release: under REFUSE, and
     * under RECONCILE where downstream checks fences; except where an operator decided while an attempt was still alive, or
     * a claim arrived so late that a holder who was done got the key once more.
     */
    EFFECT_ONCE,
    /** Whatever is recorded as done has its effect in the outside world, with that value. */
    EFFECT_KEPT,
    /** A call is told Done only if that answer is the recorded one; whoever was superseded is told LeaseLost or gets what stands. */
    ZOMBIE,
    /** No work begins while the key is settled, until retention and remembrance are over; nor for a dated call older than retention. */
    LATE,
    /** Whatever is told has its cause: nobody is told Busy, GONE, UNKNOWN, MISMATCH, NOT_RETAINED or LeaseLost of what is not. */
    HONEST,
    /** Nothing is silent: an attempt that ran ends in an event, and so does everything lost, unknown or abandoned. */
    LOUD,
    /** A node that no fault keeps from renewing loses no lease. */
    KEPT_ALIVE,
    /** What work throws reaches its caller, the same object; only a rejection gives way to the reason why it is not recorded. */
    USER_EXCEPTION,
    /** When faults have stopped and leases had time to run out, every key answers a retry for good. */
    UNSTUCK
}
