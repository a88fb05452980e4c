// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a {@link JoinedStore} that are not settled yet, by holder and by key. A caller may roll back and never say so:
 * what it leaves behind goes with its connection, and where that stays open, the oldest go when there are too many.
 */
final class Attempts {

    /** Those of transactions that run are few, so many more than this are left behind. */
    static final int MOST = 10_000;

    private static final int FEW = 500;

    private final Map<String, Attempt> byHolder = new ConcurrentHashMap<>();
    private final Map<Key, Attempt> byKey = new ConcurrentHashMap<>();
    private volatile int sweepAbove = FEW;

    /** Whoever had the key before has it no longer, else the database would not have granted it. */
    void add(Attempt attempt) {
        byHolder.put(attempt.holder, attempt);
        Attempt before = byKey.put(attempt.key(), attempt);
        if (before != null && !before.holder.equals(attempt.holder)) {
            byHolder.remove(before.holder, before);
        }
        if (byHolder.size() > sweepAbove) {
            sweep();
        }
    }

    Optional<Attempt> of(String holder, Key key, long fence) {
        return Optional.ofNullable(byHolder.get(holder))
                .filter(attempt ->
                        attempt.taking.fence() == fence && attempt.key().equals(key));
    }

    /** The attempt at this key that keeps off who uses this connection, or none. */
    Optional<Attempt> at(Key key, @Nullable Connection connection) {
        return Optional.ofNullable(byKey.get(key)).filter(attempt -> attempt.keepsOff(connection));
    }

    void remove(Attempt attempt) {
        byHolder.remove(attempt.holder, attempt);
        byKey.remove(attempt.key(), attempt);
    }

    int size() {
        return Math.max(byHolder.size(), byKey.size());
    }

    private synchronized void sweep() {
        removeAll(byHolder.values().stream().filter(Attempt::isLeftBehind).toList());
        int excess = byHolder.size() - MOST;
        if (excess > 0) {
            // More than needed, so that it is not done again at once.
            long now = System.nanoTime();
            Comparator<Attempt> oldest = Comparator.comparingLong(attempt -> attempt.since - now);
            removeAll(byHolder.values().stream()
                    .sorted(oldest)
                    .limit(excess + FEW)
                    .toList());
        }
        sweepAbove = Math.min(MOST, byHolder.size() * 2 + FEW);
    }

    private void removeAll(List<Attempt> some) {
        some.forEach(this::remove);
    }

    /** A grant, and the connection of its transaction. */
    record Attempt(String holder, Joining.Taking taking, Connection connection, long since) {

        Key key() {
            return taking.claiming().call().key();
        }

        /**
         * Not those who share its transaction, and nobody once its connection was given back without a word to this store. After
         * its lease the database is asked, because the transaction may have ended on a connection that stays open.
         */
        private boolean keepsOff(@Nullable Connection other) {
            return connection != other && System.nanoTime() - since < leaseNanos() && !isClosed();
        }

        private long leaseNanos() {
            return TimeUnit.MICROSECONDS.toNanos(taking.claiming().lease());
        }

        private boolean isClosed() {
            try {
                return connection.isClosed();
            } catch (SQLException e) {
                throw new StoreException(
                        "A transaction's connection could not be asked for its state: " + e.getMessage(), e);
            }
        }

        private boolean isLeftBehind() {
            try {
                return connection.isClosed();
            } catch (SQLException e) {
                // Whoever sweeps has nothing to do with that transaction.
                return false;
            }
        }

        Claim held() {
            Claims.Claiming claiming = taking.claiming();
            return new Claim.Held(claiming.call().fingerprint(), Duration.of(claiming.lease(), ChronoUnit.MICROS));
        }
    }
}
