// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.StoreException;
import org.jspecify.annotations.Nullable;

/** A request that waits to be decided and written in a batch, and its answer. */
final class PendingWrite<A> {

    private final Decision<A> decision;
    private @Nullable A answer;
    private @Nullable StoreException failure;

    PendingWrite(Decision<A> decision) {
        this.decision = decision;
    }

    /** A request that fails, because its row is damaged, does not stop the others. */
    void run(ChangeBatch batch) {
        try {
            answer = decision.decide(batch);
        } catch (StoreException e) {
            failure = e;
        }
    }

    @SuppressWarnings("NullAway") // a request that was run and did not fail has its answer
    A answer() {
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    /** Reads rows through the batch and adds its changes to it. */
    public interface Decision<A> {
        A decide(ChangeBatch batch);
    }
}
