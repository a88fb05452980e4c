// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

import io.semel.Key;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import io.semel.time.Time;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link FlakyStore} on a store that shows its slots. */
sealed class InspectableFlakyStore extends FlakyStore implements Inspectable permits FullFlakyStore {

    InspectableFlakyStore(Store inner, Time time) {
        super(inner, time);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return slots().look(key);
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return slots().page(view, cursor, limit);
    }

    @Override
    public Counts count() {
        return slots().count();
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return slots().amend(key, seen, verdict);
    }

    private Inspectable slots() {
        check();
        return (Inspectable) inner();
    }
}
