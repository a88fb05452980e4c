// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.StoreException;
import io.semel.store.Store;
import java.util.List;

/** One statement to the store that renews some leases, on a thread of its own; it can be given up, and may still return late. */
final class Renewal {

    final List<ActiveAttempt> attempts;

    // All written under the lock of the heartbeat.
    boolean started;
    volatile boolean givenUp;
    Runnable interrupt = () -> {};

    Renewal(List<ActiveAttempt> attempts) {
        this.attempts = attempts;
    }

    boolean isAlone() {
        return attempts.size() == 1;
    }

    List<Boolean> tell(Store store) {
        List<Boolean> applied =
                store.settleAll(attempts.stream().map(ActiveAttempt::heartbeat).toList());
        if (applied.size() != attempts.size()) {
            throw new StoreException(
                    "The store gave " + applied.size() + " answers to " + attempts.size() + " renewals.", null);
        }
        return applied;
    }
}
