// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.StoreException;
import org.jspecify.annotations.Nullable;

/** Something to be decided and written together with what others asked for, and its own answer. */
final class Errand<A> {

    private final Decision<A> decision;
    private @Nullable A answer;
    private @Nullable StoreException failure;

    Errand(Decision<A> decision) {
        this.decision = decision;
    }

    /** One that fails, because its row is damaged, does not stop the others. */
    void run(Trip trip) {
        try {
            answer = decision.decide(trip);
        } catch (StoreException e) {
            failure = e;
        }
    }

    @SuppressWarnings("NullAway") // an errand that was run and did not fail has its answer
    A answer() {
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    /** Reads rows through the trip, and tells it what changes. */
    interface Decision<A> {
        A decide(Trip trip);
    }
}
