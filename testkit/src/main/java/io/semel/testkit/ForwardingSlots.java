// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Key;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link ForwardingStore} that shows the slots of the other, too. */
public class ForwardingSlots extends ForwardingStore implements Inspectable {

    private final Inspectable slots;

    /** In front of that store, which must also be {@link Inspectable}. */
    public ForwardingSlots(Store store) {
        super(store);
        this.slots = (Inspectable) store;
    }

    @Override
    public Optional<Slot> look(Key key) {
        return slots.look(key);
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return slots.page(view, cursor, limit);
    }

    @Override
    public Counts count() {
        return slots.count();
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return slots.amend(key, seen, verdict);
    }
}
