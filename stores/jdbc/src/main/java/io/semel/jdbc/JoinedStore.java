// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.Store;
import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A {@link Store} joined to the caller's transaction: the record commits with the effect or not at all.
 *
 * <p>It uses the connection that it is given, the one of the running transaction, and no other. A concurrent duplicate
 * waits in the database until the first transaction has ended; then it gets the answer or, after a rollback, runs.
 */
public final class JoinedStore implements Store {

    private final Supplier<Connection> current;
    private final Dialect dialect;
    private final JoiningByLock joining = new JoiningByLock();
    private final Looks looks;
    /** What was asked by the attempts in flight; the record is written when they complete. */
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();

    private JoinedStore(Supplier<Connection> current, Dialect dialect) {
        this.current = current;
        this.dialect = dialect;
        this.looks = new Looks(dialect);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     */
    public static JoinedStore on(Supplier<Connection> current, Dialect dialect) {
        if (dialect != Dialect.POSTGRESQL) {
            throw new IllegalArgumentException("Semel can join transactions of PostgreSQL, not yet of " + dialect
                    + "; use a JdbcStore there, which is LEASED.");
        }
        return new JoinedStore(current, dialect);
    }

    @Override
    public Level level() {
        return Level.JOINED;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(within("tell the time", looks::now), ChronoUnit.MICROS);
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claims.Claiming claiming = Claims.Claiming.of(dialect, call, holder, lease);
        Claim claim = within("claim " + call.key(), connection -> joining.claim(connection, claiming));
        if (claim instanceof Claim.Granted granted) {
            asked.put(holder, new Asked(call, granted.fence()));
        }
        return claim;
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        Asked grant = asked.get(holder);
        if (grant == null || grant.fence != fence || !grant.call.key().equals(key)) {
            return false;
        }
        if (!(settlement instanceof Settlement.Renew)) {
            asked.remove(holder);
        }
        Claims.Claiming claiming = Claims.Claiming.of(dialect, grant.call, holder, Duration.ZERO);
        return within("settle " + key, connection -> joining.settle(connection, claiming, settlement));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return within("look at " + key, connection -> looks.look(connection, dialect.binary16(key.hash())))
                .map(Row::known);
    }

    private <T> T within(String what, Connections.Action<T> action) {
        Connection connection = current.get();
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalStateException(
                        "There is no transaction to join in order to " + what
                                + ": the connection commits every statement by itself. Begin a transaction first"
                                + " (connection.setAutoCommit(false), or @Transactional), or use a JdbcStore, which needs none.");
            }
            return action.on(connection);
        } catch (SQLException e) {
            throw new StoreException(
                    "The transaction could not " + what + "; roll it back and begin again: " + e.getMessage(), e);
        }
    }

    private record Asked(Call call, long fence) {}
}
