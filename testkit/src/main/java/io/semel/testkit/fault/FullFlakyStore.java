// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.store.Purgeable;
import io.semel.store.Store;
import io.semel.time.Time;

/** A {@link FlakyStore} on a store that shows its slots and has to be told to purge. */
final class FullFlakyStore extends InspectableFlakyStore implements Purgeable {

    FullFlakyStore(Store inner, Time time) {
        super(inner, time);
    }

    @Override
    public int purge(int limit) {
        check();
        return ((Purgeable) inner()).purge(limit);
    }
}
