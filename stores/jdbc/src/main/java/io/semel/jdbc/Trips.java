// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import io.semel.jdbc.Claims.Claiming;
import io.semel.jdbc.Settles.Settle;
import io.semel.store.Claim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** How a store's questions get to its database: each alone, or together with what others ask at the same time. */
interface Trips {

    Claim claim(Claiming claiming);

    boolean settle(Settle settle);

    /** What is there, free or not. */
    Optional<Row> look(Object id);

    /** Claims of different keys, answered in their order. */
    List<Claim> claimAll(List<Claiming> claimings);

    /** Settlements of different keys, answered in their order. */
    List<Boolean> settleAll(List<Settle> settles);

    /** For how long, and how often at least, a settlement is tried again that met somebody at its row, and the pause between. */
    long MOST_NANOS = 200_000_000;

    int FEWEST_TRIES = 20;

    /** After so long it has waited in the database, and is not tried again: behind it others wait. */
    long LONG_NANOS = 1_000_000_000;

    long PAUSE_NANOS = 5_000_000;

    /**
     * Each for itself: one that fails costs no other its settlement. What met somebody is tried again for a moment, when all
     * others are done; then it is thrown.
     */
    static List<Boolean> each(List<Settle> settles, Dialect dialect, Predicate<Settle> settling) {
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
            // Time alone would be up before the others had theirs, on a machine that is busy.
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

    static Trips of(Dialect dialect, Connections connections) {
        return dialect == Dialect.POSTGRESQL
                ? new SharedTrips(connections)
                : new SingleTrips(
                        dialect, new StepwiseClaims(dialect), new Settles(dialect), new Looks(dialect), connections);
    }
}
