// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.util.List;

/** One statement to the store that renews some leases, on a thread of its own; it can be given up, and may still return late. */
final class Renewal {

    final List<Running> attempts;

    // All written under the lock of the heartbeat.
    boolean started;
    volatile boolean givenUp;
    Runnable interrupt = () -> {};

    Renewal(List<Running> attempts) {
        this.attempts = attempts;
    }

    boolean isAlone() {
        return attempts.size() == 1;
    }

    List<Boolean> tell(Store store) {
        List<Boolean> applied =
                store.settleAll(attempts.stream().map(Running::heartbeat).toList());
        if (applied.size() != attempts.size()) {
            throw new StoreException(
                    "The store gave " + applied.size() + " answers to " + attempts.size() + " renewals.", null);
        }
        return applied;
    }
}
