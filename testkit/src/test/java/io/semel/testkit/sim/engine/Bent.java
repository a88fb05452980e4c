// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.sim.engine;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Inspectable;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.Slot;
import io.semel.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A store that does what another does, until somebody bends it. */
class Bent implements Store, Inspectable {

    final Store straight;
    private final Inspectable slots;
    /** Who was granted each key last. */
    final Map<Key, String> holders = new HashMap<>();

    private final Map<String, Long> fences = new HashMap<>();

    Bent(Store straight) {
        this.straight = straight;
        this.slots = (Inspectable) straight;
    }

    @Override
    public Level level() {
        return straight.level();
    }

    @Override
    public Instant now() {
        return straight.now();
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

    @Override
    public Optional<Claim> peek(Key key) {
        return straight.peek(key);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return slots.look(key);
    }

    @Override
    public Page page(View view, String cursor, int limit) {
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
