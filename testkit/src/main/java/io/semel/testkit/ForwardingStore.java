// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A store that does what another does and can do no more than a store must, for tests to change what they want to. */
public class ForwardingStore implements Store {

    private final Store store;

    /** In front of that store. */
    public ForwardingStore(Store store) {
        this.store = store;
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
    public Claim claim(Call call, String holder, Duration lease) {
        return store.claim(call, holder, lease);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return store.settle(key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return store.peek(key);
    }
}
