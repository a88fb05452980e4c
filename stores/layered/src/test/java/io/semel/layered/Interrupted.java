// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Inspectable;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.Slot;
import io.semel.Store;
import io.semel.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A store on whose next claim something happens between its decision and its answer. */
final class Interrupted implements Store, Inspectable {

    private final MemoryStore store;
    Runnable meanwhile = () -> {};

    Interrupted(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claim claim = store.claim(call, holder, lease);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return claim;
    }

    @Override
    public Level level() {
        return store.level();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return store.settle(key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return store.peek(key);
    }

    @Override
    public Optional<Slot> look(Key key) {
        return store.look(key);
    }

    @Override
    public Page page(View view, String cursor, int limit) {
        return store.page(view, cursor, limit);
    }

    @Override
    public Counts count() {
        return store.count();
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return store.amend(key, seen, verdict);
    }
}
