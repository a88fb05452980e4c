// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.StoreException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts the calls that processes make to stores, and lets one of them go wrong. */
final class FaultPlan {

    /** What goes wrong with the call. */
    enum Fault {
        /** It fails, and did nothing. */
        FAILS_BEFORE,
        /** It fails after the store has obeyed. */
        FAILS_AFTER,
        /** It fails, and so does every later call to that store until the client has given up. */
        OUTAGE,
        /** Its process dies first. */
        DIES_BEFORE,
        /** Its process dies after the store has obeyed. */
        DIES_AFTER,
        /** Others get in first: they ask for the same keys, or move, from beginning to end. */
        OVERTAKEN
    }

    private final Fault fault;
    private final int at;
    private int calls;
    private boolean hit;
    private @Nullable Object outOf;
    private Runnable others = () -> {};

    /** @param at the number of the call, from 1 */
    FaultPlan(Fault fault, int at) {
        this.fault = fault;
        this.at = at;
    }

    <T> T call(FaultyProcess process, Object store, Supplier<T> action) {
        process.checkAlive();
        boolean now = ++calls == at;
        if (now) {
            hit = true;
            outOf = fault == Fault.OUTAGE ? store : null;
        }
        if (outOf == store || (now && fault == Fault.FAILS_BEFORE)) {
            throw new StoreException("The store fails, as the test asked.", null);
        }
        if (now && fault == Fault.OVERTAKEN) {
            others.run();
        }
        if (now && fault == Fault.DIES_BEFORE) {
            process.die();
        }
        T answer = action.get();
        if (now && fault == Fault.FAILS_AFTER) {
            throw new StoreException("The store fails after it obeyed, as the test asked.", null);
        }
        if (now && fault == Fault.DIES_AFTER) {
            process.die();
        }
        return answer;
    }

    /** What others do in the middle of a call that is {@link Fault#OVERTAKEN}. */
    void overtakenBy(Runnable action) {
        others = action;
    }

    void endOutage() {
        outOf = null;
    }

    boolean isHit() {
        return hit;
    }
}
