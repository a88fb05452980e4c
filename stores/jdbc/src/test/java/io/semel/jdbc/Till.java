// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Rejection;
import io.semel.jdbc.internal.sql.Connections;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A service that charges in transactions of its own, joined by a store. */
final class Till {

    static final Codec<String> UTF8 = Codec.utf8();
    static final Rejection NO_FUNDS = new Rejection("no-funds", "There is not enough on the account.");

    private static final int MOST_TRIES = 20;

    private static final ThreadLocal<Connection> TRANSACTION = new ThreadLocal<>();

    private final DataSource database;
    final HeldOff store;
    final Engine engine;
    /** One whose duplicates wait. */
    final Engine patient;

    Till(DataSource database) {
        this.database = database;
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("CREATE TABLE IF NOT EXISTS charge (orderid VARCHAR(100) NOT NULL)");
            store = new HeldOff(JoinedStore.on(TRANSACTION::get, Dialect.of(connection)));
            engine = Engine.on(store).with(Operation.named("charge").demand(Level.JOINED));
            patient = engine.with(engine.operation().waitWhenBusy(Duration.ofMinutes(1)));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static Call newCall() {
        return Call.of(Key.of("payments", UUID.randomUUID().toString()), Fingerprint.of("500 EUR"));
    }

    Connection begin() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        TRANSACTION.set(connection);
        return connection;
    }

    /** As if nobody had begun a transaction: a connection that commits by itself, or none. */
    void use(Connection connection) {
        TRANSACTION.set(connection);
    }

    Outcome<String> charge(Connection connection, Call call) throws SQLException {
        return engine.run(call, UTF8, attempt -> {
            insert(connection, call);
            return "charged";
        });
    }

    /** The same by a caller who waits while the call is busy. */
    Outcome<String> chargeInTheEnd(Connection connection, Call call) throws SQLException {
        return patient.run(call, UTF8, attempt -> {
            insert(connection, call);
            return "charged";
        });
    }

    void chargeAndReject(Connection connection, Call call) throws SQLException {
        engine.run(call, UTF8, attempt -> {
            insert(connection, call);
            throw NO_FUNDS;
        });
    }

    /** The effect alone. */
    static void insert(Connection connection, Call call) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO charge VALUES (?)")) {
            insert.setString(1, call.key().id());
            insert.executeUpdate();
        }
    }

    Outcome<String> charge(Call call) throws SQLException {
        return inTransaction(connection -> charge(connection, call));
    }

    Outcome<String> inTransaction(Connections.Action<Outcome<String>> action) throws SQLException {
        try (Connection connection = begin()) {
            Outcome<String> outcome = action.on(connection);
            connection.commit();
            return outcome;
        }
    }

    /** As a caller does who knows that a transaction can lose against another, or find it at work, and begins it again. */
    Outcome<String> untilItCommits(int isolation, Connections.Action<Outcome<String>> action) throws SQLException {
        for (int tries = 1; ; tries++) {
            try (Connection connection = begin()) {
                connection.setTransactionIsolation(isolation);
                try {
                    Outcome<String> outcome = action.on(connection);
                    connection.commit();
                    if (!(outcome instanceof Outcome.Busy)) {
                        return outcome;
                    }
                    tries--;
                    LockSupport.parkNanos(1_000_000);
                } catch (SQLException | RuntimeException e) {
                    connection.rollback();
                    if (tries == MOST_TRIES) {
                        throw e;
                    }
                }
            }
        }
    }

    int charges(Call call) throws SQLException {
        try (Connection connection = database.getConnection();
                var count = connection.prepareStatement("SELECT COUNT(*) FROM charge WHERE orderid = ?")) {
            count.setString(1, call.key().id());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }
}
