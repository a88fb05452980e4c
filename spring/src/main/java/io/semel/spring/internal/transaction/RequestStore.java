// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A joined store that keeps in mind what a request records, because more may have to be done about it than one transaction can:
 * to record a refusal after its effect was rolled back, and to look for the record after a commit that was cut.
 *
 * @param outside the same records, for whoever looks before a transaction is begun
 */
public record RequestStore(Store store, Store outside) implements Store {

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
        return within().now();
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        RequestTransaction transaction = RequestTransaction.current();
        transaction.asking(true);
        try {
            Claim claim = store.claim(call, holder, lease);
            transaction.claimed(new Claiming(call, holder, lease), store);
            return claim;
        } catch (StoreException e) {
            transaction.lost(RetryableFailures.isRetryable(e));
            throw e;
        } finally {
            transaction.asking(false);
        }
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        if (settlement instanceof Settlement.Release) {
            // The transaction is rolled back, and the claim with it; one that has failed could not even be asked.
            return true;
        }
        if (!(settlement instanceof Settlement.Complete complete)) {
            return store.settle(key, holder, fence, settlement);
        }
        RequestTransaction transaction = RequestTransaction.current();
        transaction.completed(complete);
        if (transaction.isDoomed()) {
            return true;
        }
        try {
            boolean kept = store.settle(key, holder, fence, settlement);
            transaction.lost(!kept);
            return kept;
        } catch (StoreException e) {
            transaction.lost(RetryableFailures.isRetryable(e));
            transaction.spoilt(e);
            return true;
        }
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return within().peek(key);
    }

    private Store within() {
        return RequestTransaction.isPresent() ? store : outside;
    }
}
