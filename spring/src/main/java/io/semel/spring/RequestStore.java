// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.Store;
import io.semel.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A joined store that keeps in mind what a request records, because more may have to be done about it than one transaction can:
 * to record a refusal after its effect was rolled back, and to look for the record after a commit that was cut.
 */
record RequestStore(Store store) implements Store {

    @Override
    public Level level() {
        return store.level();
    }

    @Override
    public boolean commits() {
        return store.commits();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        RequestTransaction transaction = RequestTransaction.current();
        try {
            Claim claim = store.claim(call, holder, lease);
            transaction.claimed(new Claiming(call, holder, lease), store);
            return claim;
        } catch (StoreException e) {
            transaction.lost(Losses.isLoss(e));
            throw e;
        }
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        if (!(settlement instanceof Settlement.Complete complete)) {
            return store.settle(key, holder, fence, settlement);
        }
        RequestTransaction transaction = RequestTransaction.current();
        transaction.completed(complete);
        if (transaction.isDoomed()) {
            return store.settle(key, holder, fence, new Settlement.Release());
        }
        try {
            boolean kept = store.settle(key, holder, fence, settlement);
            transaction.lost(!kept);
            return kept;
        } catch (StoreException e) {
            transaction.lost(Losses.isLoss(e));
            transaction.spoilt(e);
            return true;
        }
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return store.peek(key);
    }
}
