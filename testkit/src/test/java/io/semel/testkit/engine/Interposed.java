// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.engine;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ForwardingStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A store with something of the test's own before or after its claims and its settlements of one kind. */
final class Interposed extends ForwardingStore {

    private final Map<Class<?>, Runnable> before = new HashMap<>();
    private final Map<Class<?>, Runnable> after = new HashMap<>();

    Interposed(Store store) {
        super(store);
    }

    /** The kind is Claim or a kind of Settlement. */
    Interposed before(Class<?> kind, Runnable action) {
        before.put(kind, action);
        return this;
    }

    Interposed after(Class<?> kind, Runnable action) {
        after.put(kind, action);
        return this;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        run(before, Claim.class);
        Claim claim = super.claim(call, holder, lease);
        run(after, Claim.class);
        return claim;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        run(before, settlement.getClass());
        boolean applied = super.settle(key, holder, fence, settlement);
        run(after, settlement.getClass());
        return applied;
    }

    private static void run(Map<Class<?>, Runnable> actions, Class<?> kind) {
        actions.getOrDefault(kind, () -> {}).run();
    }
}
