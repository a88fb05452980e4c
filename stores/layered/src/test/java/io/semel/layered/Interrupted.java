// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingSlots;
import java.time.Duration;

/** A store on whose next claim something happens between its decision and its answer. */
final class Interrupted extends ForwardingSlots {

    Runnable meanwhile = () -> {};

    Interrupted(MemoryStore store) {
        super(store);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim claim = super.claim(call, holder, lease);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return claim;
    }
}
