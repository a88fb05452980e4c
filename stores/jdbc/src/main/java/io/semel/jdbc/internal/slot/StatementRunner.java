// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.StoreException;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.store.Claim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Sends a store's claims, settlements and lookups to its database: one by one, or batched with those of other threads. */
public interface StatementRunner {

    Claim claim(ClaimParameters claiming);

    boolean settle(SettleParameters settle);

    /** The slot's row, free or not. */
    Optional<SlotRow> look(Object id);

    /** Claims of different keys, answered in their order. */
    List<Claim> claimAll(List<ClaimParameters> claimings);

    /** Settlements of different keys, answered in their order. */
    List<Boolean> settleAll(List<SettleParameters> settles);

    /** How long, and at least how often, a settlement of a contended row is retried, and the pause between. */
    long MOST_NANOS = 200_000_000;

    int FEWEST_TRIES = 20;

    /** A settlement that took so long has waited in the database and is not retried, because others wait behind it. */
    long LONG_NANOS = 1_000_000_000;

    long PAUSE_NANOS = 5_000_000;

    /**
     * Settles one by one, so that a failure affects no other settlement. Contended rows are retried for a moment after all
     * others; then the failure is thrown.
     */
    static List<Boolean> settleEach(
            List<SettleParameters> settles, SqlDialect dialect, Predicate<SettleParameters> settling) {
        Boolean[] applied = new Boolean[settles.size()];
        StoreException failure = null;
        long start = System.nanoTime();
        for (int tries = 1; ; tries++) {
            failure = null;
            for (int i = 0; i < applied.length; i++) {
                if (applied[i] == null) {
                    try {
                        applied[i] = settling.test(settles.get(i));
                    } catch (StoreException e) {
                        failure = e;
                    }
                }
            }
            // On a busy machine the time could be up before a single retry.
            boolean enough = System.nanoTime() - start > (tries >= FEWEST_TRIES ? MOST_NANOS : LONG_NANOS);
            if (failure == null || !dialect.isContention(failure) || enough) {
                break;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (failure != null) {
            throw failure;
        }
        return List.of(applied);
    }

    static StatementRunner of(SqlDialect dialect, Connections connections) {
        return dialect == SqlDialect.POSTGRESQL
                ? new BatchedStatements(connections)
                : new SingleStatements(
                        dialect,
                        new StepwiseClaims(dialect),
                        new SettleStatements(dialect),
                        new Lookups(dialect),
                        connections);
    }
}
