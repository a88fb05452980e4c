// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Key;
import io.semel.jdbc.JdbcStore;
import io.semel.store.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Claim and settle, and replays, of a leased store on PostgreSQL, against the same written by hand. */
final class LeasedLoad {

    private static final int REPLAYED = 100_000;

    private final DataSource pool;
    private final JdbcStore store;
    private final byte[] answer = Answers.json(200);
    private final Calls calls;

    LeasedLoad(DurablePostgres postgres) throws SQLException {
        this.pool = postgres.pool();
        this.store = JdbcStore.on(pool);
        this.calls = new Calls(store, answer, REPLAYED);
        postgres.execute(
                "CREATE TABLE IF NOT EXISTS by_hand (id uuid PRIMARY KEY, print uuid NOT NULL, holder text NOT NULL,"
                        + " until timestamptz NOT NULL, answer bytea)");
    }

    List<Contender> pairs() {
        return List.of(
                new Contender("by hand: one statement and one commit each", this::byHand),
                new Contender("Semel: claim and settle", calls::pair));
    }

    List<Contender> replays() {
        return List.of(
                new Contender("bare SELECT by primary key", number -> select()),
                new Contender("Semel: claim of a settled key", number -> calls.replay()));
    }

    /** Settles the keys that are replayed later. */
    void prepareReplays() {
        for (int from = 0; from < REPLAYED; from += 100) {
            List<io.semel.store.Store.Claiming> claimings = java.util.stream.IntStream.range(from, from + 100)
                    .mapToObj(i -> new io.semel.store.Store.Claiming(Calls.call(i), "preparing-" + i, Calls.LEASE))
                    .toList();
            List<Claim> claims = store.claimAll(claimings);
            store.settleAll(java.util.stream.IntStream.range(0, 100)
                    .mapToObj(i -> new io.semel.store.Store.Settling(
                            claimings.get(i).call().key(),
                            claimings.get(i).holder(),
                            ((Claim.Granted) claims.get(i)).fence(),
                            calls.done()))
                    .toList());
        }
    }

    private void byHand(long number) throws SQLException {
        UUID id = id(Calls.call(number).key());
        String holder = Calls.holder(number);
        try (Connection connection = pool.getConnection();
                PreparedStatement claim = connection.prepareStatement("INSERT INTO by_hand (id, print, holder, until)"
                        + " VALUES (?, ?, ?, now() + interval '30 s') ON CONFLICT DO NOTHING")) {
            claim.setObject(1, id);
            claim.setObject(2, id);
            claim.setString(3, holder);
            claim.executeUpdate();
        }
        try (Connection connection = pool.getConnection();
                PreparedStatement settle = connection.prepareStatement(
                        "UPDATE by_hand SET answer = ?, until = now() + interval '1 d' WHERE id = ? AND holder = ?")) {
            settle.setBytes(1, answer);
            settle.setObject(2, id);
            settle.setString(3, holder);
            settle.executeUpdate();
        }
    }

    private void select() throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT print, until, result FROM semel_slot WHERE id = ?")) {
            select.setObject(1, id(calls.anySettled().key()));
            try (ResultSet row = select.executeQuery()) {
                row.next();
                row.getBytes(3);
            }
        }
    }

    private static UUID id(Key key) {
        java.nio.ByteBuffer bits = java.nio.ByteBuffer.wrap(key.hash());
        return new UUID(bits.getLong(), bits.getLong());
    }
}
