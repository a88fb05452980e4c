// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.Key;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlStatement.ArrayParameter;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Combiner;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Looks up slots before a transaction is begun, and batches concurrent lookups into one statement on one connection. */
public final class BatchedLookups {

    private static final int MOST = 128;

    /** One batch is read while the answers of another are handed out. */
    private static final int LANES = 2;

    private final Connections connections;
    private final SqlDialect dialect;
    private final Map<Integer, SqlStatement> statements = new ConcurrentHashMap<>();
    private final Combiner<Key, Optional<SlotRow>> looking = new Combiner<>(LANES, MOST, key -> key, this::lookAll);

    public BatchedLookups(Connections connections, SqlDialect dialect) {
        this.connections = connections;
        this.dialect = dialect;
    }

    /** The row of a key; empty if it is free. */
    public Optional<SlotRow> look(Key key) {
        return looking.ask(key).filter(row -> !row.isFree());
    }

    private List<Optional<SlotRow>> lookAll(List<Key> keys) {
        return connections.autocommitting(
                () -> "look up " + keys.size() + " slots", connection -> lookAll(connection, keys));
    }

    private List<Optional<SlotRow>> lookAll(Connection connection, List<Key> keys) throws SQLException {
        List<Object> ids =
                keys.stream().map(key -> dialect.binary16(key.hash())).toList();
        Map<ByteBuffer, SlotRow> rows = new HashMap<>();
        SqlStatement.Reader<SlotRow> reader = columns -> {
            SlotRow row = SlotRow.read(columns);
            rows.put(ByteBuffer.wrap(SqlValues.binary16(columns, "id")), row);
            return row;
        };
        if (dialect == SqlDialect.POSTGRESQL) {
            statement(1).query(connection, reader, ArrayParameter.of("uuid", ids, id -> id));
        } else {
            statement(size(ids)).query(connection, reader, padded(ids));
        }
        return keys.stream()
                .map(key -> Optional.ofNullable(rows.get(ByteBuffer.wrap(key.hash()))))
                .toList();
    }

    private SqlStatement statement(int placeholders) {
        return statements.computeIfAbsent(
                placeholders,
                count -> new SqlStatement(
                        dialect,
                        """
                SELECT id, print, fence, attempts, holder, since, until, forget, result, $now AS now
                FROM semel_slot WHERE id\s"""
                                + (dialect == SqlDialect.POSTGRESQL
                                        ? "= ANY (?::uuid[])"
                                        : "IN (?" + ", ?".repeat(count - 1) + ")")));
    }

    /** Rounded up to a power of two, which keeps the number of different statements small. */
    private static int size(List<Object> ids) {
        return ids.size() == 1 ? 1 : Integer.highestOneBit(ids.size() - 1) << 1;
    }

    private static Object[] padded(List<Object> ids) {
        Object[] padded = new Object[size(ids)];
        for (int i = 0; i < padded.length; i++) {
            padded[i] = ids.get(Math.min(i, ids.size() - 1));
        }
        return padded;
    }
}
