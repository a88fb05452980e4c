// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Inspectable;
import io.semel.store.Purgeable;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One of many handles on one store, which stays open when the handle is given up. Once killed it gives out no answer any
 * more, not even one that is on its way.
 */
final class Handle implements Store, Inspectable, Purgeable {

    private final RocksStore store;
    private final Supplier<Boolean> killed;

    Handle(RocksStore store, Supplier<Boolean> killed) {
        this.store = store;
        this.killed = killed;
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
        return alive(() -> store.claim(call, holder, lease));
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return alive(() -> store.settle(key, holder, fence, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return alive(() -> store.peek(key));
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        return alive(() -> store.claimAll(claimings));
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return alive(() -> store.settleAll(settlings));
    }

    @Override
    public Optional<Slot> look(Key key) {
        return alive(() -> store.look(key));
    }

    @Override
    public Page page(View view, @Nullable String cursor, int limit) {
        return alive(() -> store.page(view, cursor, limit));
    }

    @Override
    public Counts count() {
        return alive(store::count);
    }

    @Override
    public boolean amend(Key key, byte[] seen, Settlement verdict) {
        return alive(() -> store.amend(key, seen, verdict));
    }

    @Override
    public int purge(int limit) {
        return alive(() -> store.purge(limit));
    }

    private <A> A alive(Supplier<A> question) {
        A answer = question.get();
        if (killed.get()) {
            throw new StoreException("The process of the store is dead.", null);
        }
        return answer;
    }
}
