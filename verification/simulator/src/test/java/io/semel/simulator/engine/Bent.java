// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingSlots;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A store that does what another does, until somebody bends it. */
class Bent extends ForwardingSlots {

    final Store straight;
    /** Who was granted each key last. */
    final Map<Key, String> holders = new HashMap<>();

    private final Map<String, Long> fences = new HashMap<>();

    Bent(Store straight) {
        super(straight);
        this.straight = straight;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim claim = straight.claim(call, holder, lease);
        if (claim instanceof Claim.Granted granted) {
            holders.put(call.key(), holder);
            fences.put(call.key().id() + " " + holder, granted.fence());
            fences.put(call.key().id(), granted.fence());
        }
        return claim;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return straight.settle(key, holder, straightFence(key, holder, fence), settlement);
    }

    /** The current holder's settle, whoever asks for it. */
    boolean settleForAnyone(Key key, Settlement settlement) {
        return straight.settle(key, holders.getOrDefault(key, "nobody"), fences.getOrDefault(key.id(), 0L), settlement);
    }

    /** The fence that the straight store knows, for stores that told another. */
    long straightFence(Key key, String holder, long told) {
        return told;
    }

    /** The fence that the straight store granted last to that holder. */
    long lastGranted(Key key, String holder, long told) {
        return fences.getOrDefault(key.id() + " " + holder, told);
    }
}
