// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.JoinedStore;
import io.semel.jdbc.TransactingStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** First executions in one transaction with their record, against the same transaction unguarded. */
final class JoinedLoad {

    private static final Fingerprint PRINT = Fingerprint.of("POST", "/payments", "{\"amount\":500}");
    private static final int REPLAYED = 10_000;
    private static final ThreadLocal<Connection> TRANSACTION = new ThreadLocal<>();

    private final DataSource pool;
    private final TransactingStore owned;
    private final TransactingStore optimistic;
    private final Engine joinedEngine;
    private final Engine ownedEngine;
    private final Engine optimisticEngine;
    private final byte[] answer = Answers.json(200);

    JoinedLoad(DurablePostgres postgres) throws SQLException {
        this.pool = postgres.pool();
        postgres.execute(
                "CREATE TABLE IF NOT EXISTS payment (id bigint PRIMARY KEY, account text NOT NULL, amount integer NOT NULL,"
                        + " at timestamptz NOT NULL DEFAULT now())");
        this.owned = TransactingStore.on(pool);
        this.optimistic = owned.optimistic();
        this.joinedEngine = Engine.on(JoinedStore.on(TRANSACTION::get, Dialect.POSTGRESQL));
        this.ownedEngine = Engine.on(owned);
        this.optimisticEngine = Engine.on(optimistic);
    }

    List<Contender> contenders() {
        return List.of(
                new Contender("unguarded", this::unguarded),
                new Contender("Semel joined, the caller commits", this::joined),
                new Contender("Semel joined, Semel commits", this::owned),
                new Contender("Semel joined, optimistic", this::optimistic));
    }

    /** Retries of calls that have their answer, against one SELECT of it in a transaction of its own. */
    List<Contender> replays() {
        return List.of(
                new Contender("bare SELECT in a transaction of its own", number -> select(replayed(number))),
                new Contender("Semel joined, replay", number -> owned(replayed(number))));
    }

    /** Carries out the calls that are replayed later. */
    void prepareReplays() throws SQLException {
        for (int number = 0; number < REPLAYED; number++) {
            owned(replayed(number));
        }
    }

    /** Below zero, where no first execution has its number. */
    private static long replayed(long number) {
        return -1 - number % REPLAYED;
    }

    private void select(long number) throws SQLException {
        java.nio.ByteBuffer id = java.nio.ByteBuffer.wrap(call(number).key().hash());
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT print, until, result FROM semel_slot WHERE id = ?")) {
                select.setObject(1, new UUID(id.getLong(), id.getLong()));
                try (ResultSet row = select.executeQuery()) {
                    if (!row.next() || row.getBytes(3) == null) {
                        throw new IllegalStateException("There is no answer to replay.");
                    }
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void unguarded(long number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            pay(connection, number);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void joined(long number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            TRANSACTION.set(connection);
            joinedEngine.run(call(number), Codec.bytes(), attempt -> pay(connection, number));
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private void owned(long number) throws SQLException {
        ownedEngine.run(call(number), Codec.bytes(), attempt -> pay(owned.connection(attempt), number));
    }

    private void optimistic(long number) throws SQLException {
        optimisticEngine.run(call(number), Codec.bytes(), attempt -> pay(optimistic.connection(attempt), number));
    }

    private byte[] pay(Connection connection, long number) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO payment (id, account, amount) VALUES (?, ?, ?)")) {
            insert.setLong(1, number);
            insert.setString(2, "account-of-somebody");
            insert.setInt(3, 500);
            insert.executeUpdate();
        }
        return answer;
    }

    private static Call call(long number) {
        return Call.of(Key.of("payments/tenant-7", "order-" + number), PRINT);
    }
}
