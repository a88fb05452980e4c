// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A real store whose claims and settlements fail while a test says so. */
final class FailingStore implements Store {

    private final Store store;
    private final Level level;
    RuntimeException onClaim;
    RuntimeException onSettle;

    FailingStore(Store store, Level level) {
        this.store = store;
        this.level = level;
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        failIf(onClaim);
        return store.claim(call, holder, lease);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        failIf(onSettle);
        return store.settle(key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return store.peek(key);
    }

    private static void failIf(RuntimeException failure) {
        if (failure != null) {
            throw failure;
        }
    }
}
