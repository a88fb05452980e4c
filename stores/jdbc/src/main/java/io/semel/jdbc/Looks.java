// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Inspectable.Counts;
import io.semel.Inspectable.Page;
import io.semel.Inspectable.View;
import io.semel.Key;
import io.semel.Slot;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators see: statements that only read. */
final class Looks {

    /** The first two bytes of a frame that says unknown, plain and compressed. */
    private static final byte[] UNKNOWN = {1, 3};

    private static final byte[] UNKNOWN_COMPRESSED = {1, 0x13};
    private static final String NOT_KEPT = "(not kept)";

    private final Dialect dialect;
    private final Statement look;
    private final Statement clock;
    private final Statement inFlight;
    private final Statement unknown;
    private final Statement oldest;
    private final Statement counts;
    private final Statement size;

    Looks(Dialect dialect) {
        this.dialect = dialect;
        this.clock = new Statement(dialect, "SELECT $now AS now");
        this.look = new Statement(dialect, """
                SELECT print, fence, attempts, holder, since, until, forget, result, $now AS now
                FROM semel_slot WHERE id = ?
                """);
        this.inFlight = page("holder IS NOT NULL");
        this.unknown = page("holder IS NULL AND until > $now AND SUBSTRING(result, 1, 2) IN (?, ?)");
        this.oldest = page("(holder IS NOT NULL OR forget > $now)");
        this.counts = new Statement(dialect, """
                SELECT COUNT(CASE WHEN holder IS NOT NULL AND until > c.now THEN 1 END) AS held,
                       COUNT(CASE WHEN holder IS NOT NULL AND until <= c.now THEN 1 END) AS lapsed,
                       COUNT(CASE WHEN holder IS NULL AND until > c.now AND SUBSTRING(result, 1, 2) IN (?, ?) THEN 1 END) AS unknown_,
                       COUNT(CASE WHEN holder IS NULL AND until > c.now AND result IS NOT NULL THEN 1 END) AS settled,
                       COUNT(CASE WHEN holder IS NULL AND forget > c.now AND (until <= c.now OR result IS NULL) THEN 1 END) AS gone
                FROM semel_slot, (SELECT $now AS now) c
                """);
        this.size = new Statement(dialect, dialect.size());
    }

    private Statement page(String view) {
        return new Statement(dialect, """
                SELECT id, print, fence, attempts, holder, since, until, forget, result, scope, name, $now AS now
                FROM semel_slot
                WHERE $view AND (since > ? OR (since = ? AND id > ?))
                ORDER BY since, id
                LIMIT ?
                """.replace("$view", view));
    }

    long now(Connection connection) throws SQLException {
        return clock.first(connection, row -> row.getLong("now")).orElseThrow();
    }

    Optional<Row> look(Connection connection, Object id) throws SQLException {
        return look.first(connection, Row::read, id).filter(row -> !row.isFree());
    }

    Page page(Connection connection, View view, @Nullable String cursor, int limit) throws SQLException {
        if (limit < 1) {
            throw new IllegalArgumentException("A page has at least one slot, not " + limit + ".");
        }
        Cursor after = cursor == null ? Cursor.START : Cursor.parse(cursor);
        Object id = dialect.binary16(after.id);
        int most = limit + 1;
        List<Entry> entries = switch (view) {
            case IN_FLIGHT -> inFlight.query(connection, Looks::entry, after.since, after.since, id, most);
            case OLDEST -> oldest.query(connection, Looks::entry, after.since, after.since, id, most);
            case UNKNOWN ->
                unknown.query(
                        connection, Looks::entry, UNKNOWN, UNKNOWN_COMPRESSED, after.since, after.since, id, most);
        };
        boolean more = entries.size() > limit;
        List<Entry> shown = more ? entries.subList(0, limit) : entries;
        return new Page(
                shown.stream().map(Entry::slot).toList(),
                more ? shown.get(limit - 1).cursor() : null);
    }

    Counts count(Connection connection) throws SQLException {
        Map<Slot.State, Long> slots = counts.first(connection, Looks::counted, UNKNOWN, UNKNOWN_COMPRESSED)
                .orElseThrow();
        return Counts.of(slots, size.first(connection, row -> row.getLong(1)).orElse(0L));
    }

    private static Map<Slot.State, Long> counted(ResultSet row) throws SQLException {
        long unknown = row.getLong("unknown_");
        return Map.of(
                Slot.State.HELD, row.getLong("held"),
                Slot.State.LAPSED, row.getLong("lapsed"),
                Slot.State.UNKNOWN, unknown,
                Slot.State.SETTLED, row.getLong("settled") - unknown,
                Slot.State.GONE, row.getLong("gone"));
    }

    private static Entry entry(ResultSet columns) throws SQLException {
        byte[] id = Row.binary16(columns, "id");
        Row row = Row.read(columns);
        byte[] scope = columns.getBytes("scope");
        byte[] name = columns.getBytes("name");
        Key key = scope == null || name == null
                ? Key.of(NOT_KEPT, HexFormat.of().formatHex(id))
                : Key.of(new String(scope, StandardCharsets.UTF_8), new String(name, StandardCharsets.UTF_8));
        return new Entry(row.slot(key), new Cursor(row.since(), id));
    }

    private record Entry(Slot slot, Cursor at) {

        String cursor() {
            return at.since + "." + HexFormat.of().formatHex(at.id);
        }
    }

    private record Cursor(long since, byte[] id) {

        static final Cursor START = new Cursor(Long.MIN_VALUE, new byte[Key.HASH_BYTES]);

        static Cursor parse(String cursor) {
            int dot = cursor.indexOf('.');
            try {
                return new Cursor(
                        Long.parseLong(cursor.substring(0, dot)), HexFormat.of().parseHex(cursor.substring(dot + 1)));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("This is not the cursor of an earlier page.", e);
            }
        }
    }
}
