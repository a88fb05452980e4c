// SPDX-License-Identifier: Apache-2.0
package io.semel.observe;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A store that cannot be asked. */
final class DownStore implements Store, Inspectable {

    private static StoreException down() {
        return StoreException.changedNothing("The store is down.", null);
    }

    @Override
    public Level level() {
        return Level.LEASED;
    }

    @Override
    public Instant now() {
        throw down();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        throw down();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        throw down();
    }

    @Override
    public Optional<Claim> peek(Key key) {
        throw down();
    }

    @Override
    public Optional<io.semel.store.Slot> look(Key key) {
        throw down();
    }

    @Override
    public Page page(View view, String cursor, int limit) {
        throw down();
    }

    @Override
    public Counts count() {
        throw down();
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        throw down();
    }
}
