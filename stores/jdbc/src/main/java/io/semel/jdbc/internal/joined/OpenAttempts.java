// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.joined;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.jdbc.internal.slot.ClaimParameters;
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
 * The unsettled attempts of a joined store, by holder and by key. Callers may roll back without telling the store: the
 * attempts left behind are dropped with their connections or, where those stay open, when there are too many, the
 * oldest first.
 */
public final class OpenAttempts {

    /** Running transactions are few, so an excess above this is left behind. */
    public static final int MOST = 10_000;

    private static final int FEW = 500;

    private final Map<String, OpenAttempt> byHolder = new ConcurrentHashMap<>();
    private final Map<Key, OpenAttempt> byKey = new ConcurrentHashMap<>();
    private volatile int sweepAbove = FEW;

    /** Drops the previous attempt at the key: the database would not have granted it otherwise. */
    public void add(OpenAttempt attempt) {
        byHolder.put(attempt.holder, attempt);
        OpenAttempt before = byKey.put(attempt.key(), attempt);
        if (before != null && !before.holder.equals(attempt.holder)) {
            byHolder.remove(before.holder, before);
        }
        if (byHolder.size() > sweepAbove) {
            sweep();
        }
    }

    public Optional<OpenAttempt> of(String holder, Key key, long fence) {
        return Optional.ofNullable(byHolder.get(holder))
                .filter(attempt ->
                        attempt.grant.fence() == fence && attempt.key().equals(key));
    }

    /** The attempt at this key that excludes callers on this connection, or none. */
    public Optional<OpenAttempt> at(Key key, @Nullable Connection connection) {
        return Optional.ofNullable(byKey.get(key)).filter(attempt -> attempt.excludes(connection));
    }

    public void remove(OpenAttempt attempt) {
        byHolder.remove(attempt.holder, attempt);
        byKey.remove(attempt.key(), attempt);
    }

    public int size() {
        return Math.max(byHolder.size(), byKey.size());
    }

    private synchronized void sweep() {
        removeAll(byHolder.values().stream().filter(OpenAttempt::isLeftBehind).toList());
        int excess = byHolder.size() - MOST;
        if (excess > 0) {
            // More than necessary, so that the sweep is not repeated at once.
            long now = System.nanoTime();
            Comparator<OpenAttempt> oldest = Comparator.comparingLong(attempt -> attempt.since - now);
            removeAll(byHolder.values().stream()
                    .sorted(oldest)
                    .limit(excess + FEW)
                    .toList());
        }
        sweepAbove = Math.min(MOST, byHolder.size() * 2 + FEW);
    }

    private void removeAll(List<OpenAttempt> some) {
        some.forEach(this::remove);
    }

    /** A grant, and the connection of its transaction. */
    public record OpenAttempt(String holder, JoinStrategy.Grant grant, Connection connection, long since) {

        Key key() {
            return grant.claiming().call().key();
        }

        /**
         * Does not exclude callers in the same transaction, nor any caller after the connection was returned without
         * notice to this store. After its lease the database decides, because the transaction may have ended on a
         * connection that stays open.
         */
        private boolean excludes(@Nullable Connection other) {
            return connection != other && System.nanoTime() - since < leaseNanos() && !isClosed();
        }

        private long leaseNanos() {
            return TimeUnit.MICROSECONDS.toNanos(grant.claiming().lease());
        }

        private boolean isClosed() {
            try {
                return connection.isClosed();
            } catch (SQLException e) {
                throw new StoreException(
                        "The state of a transaction's connection could not be read: " + e.getMessage(), e);
            }
        }

        private boolean isLeftBehind() {
            try {
                return connection.isClosed();
            } catch (SQLException e) {
                // The sweep is not concerned with that transaction's failure.
                return false;
            }
        }

        public Claim held() {
            ClaimParameters claiming = grant.claiming();
            return new Claim.Held(claiming.call().fingerprint(), Duration.of(claiming.lease(), ChronoUnit.MICROS));
        }
    }
}
