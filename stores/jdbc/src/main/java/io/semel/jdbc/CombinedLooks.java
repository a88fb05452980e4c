// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Key;
import io.semel.jdbc.Statement.Column;
import io.semel.store.Combiner;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Looks at slots before a transaction is begun; what is asked at the same time goes in one statement, on one connection. */
final class CombinedLooks {

    private static final int MOST = 128;

    /** One is read while the answers of another are handed out. */
    private static final int LANES = 2;

    private final Connections connections;
    private final Dialect dialect;
    private final Map<Integer, Statement> statements = new ConcurrentHashMap<>();
    private final Combiner<Key, Optional<Row>> looking = new Combiner<>(LANES, MOST, key -> key, this::lookAll);

    CombinedLooks(Connections connections, Dialect dialect) {
        this.connections = connections;
        this.dialect = dialect;
    }

    /** What is remembered of a key; empty where it is free. */
    Optional<Row> look(Key key) {
        return looking.ask(key).filter(row -> !row.isFree());
    }

    private List<Optional<Row>> lookAll(List<Key> keys) {
        return connections.autocommitting(
                () -> "look at " + keys.size() + " slots", connection -> lookAll(connection, keys));
    }

    private List<Optional<Row>> lookAll(Connection connection, List<Key> keys) throws SQLException {
        List<Object> ids =
                keys.stream().map(key -> dialect.binary16(key.hash())).toList();
        Map<ByteBuffer, Row> rows = new HashMap<>();
        Statement.Reader<Row> reader = columns -> {
            Row row = Row.read(columns);
            rows.put(ByteBuffer.wrap(Row.binary16(columns, "id")), row);
            return row;
        };
        if (dialect == Dialect.POSTGRESQL) {
            statement(1).query(connection, reader, Column.of("uuid", ids, id -> id));
        } else {
            statement(size(ids)).query(connection, reader, padded(ids));
        }
        return keys.stream()
                .map(key -> Optional.ofNullable(rows.get(ByteBuffer.wrap(key.hash()))))
                .toList();
    }

    private Statement statement(int gaps) {
        return statements.computeIfAbsent(
                gaps,
                count -> new Statement(
                        dialect,
                        """
                SELECT id, print, fence, attempts, holder, since, until, forget, result, $now AS now
                FROM semel_slot WHERE id\s"""
                                + (dialect == Dialect.POSTGRESQL
                                        ? "= ANY (?::uuid[])"
                                        : "IN (?" + ", ?".repeat(count - 1) + ")")));
    }

    /** A power of two, so that there are few different statements. */
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
