// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.Key;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlStatement;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Inspectable.Page;
import io.semel.store.Inspectable.View;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of slots for operators, each found by an index; a table too large to be sorted is listed by id. */
public final class SlotPages {

    private static final String NOT_KEPT = "(not kept)";

    private final SqlDialect dialect;
    private final SlotCounts counting;
    private final SqlStatement inFlight;
    private final SqlStatement unknown;
    private final SqlStatement oldest;
    private final SqlStatement byId;

    public SlotPages(SqlDialect dialect, SlotCounts counting) {
        this.dialect = dialect;
        this.counting = counting;
        this.inFlight = byAge("$inFlight");
        this.unknown = byAge("$unknown AND holder IS NULL AND until > $now");
        this.oldest = byAge("(holder IS NOT NULL OR forget > $now)");
        this.byId = page("(holder IS NOT NULL OR forget > $now) AND id > ?", "id");
    }

    private SqlStatement byAge(String view) {
        return page(view + " AND since >= ? AND (since > ? OR id > ?)", "since, id");
    }

    private SqlStatement page(String which, String order) {
        return new SqlStatement(dialect, """
            SELECT id, print, fence, attempts, holder, since, until, forget, result, scope, name, $now AS now
            FROM semel_slot
            WHERE $which
            ORDER BY $order
            LIMIT ?
            """.replace("$which", which).replace("$order", order));
    }

    public Page page(Connection connection, View view, @Nullable String cursor, int limit) throws SQLException {
        Page.checkLimit(limit);
        Cursor after = cursor == null ? first(connection, view) : Page.read(cursor, Cursor::parse);
        Object id = dialect.binary16(after.id);
        int most = limit + 1;
        List<Entry> entries = after.isById()
                ? byId.query(connection, row -> entry(row, true), id, most)
                : of(view).query(connection, row -> entry(row, false), after.since, after.since, id, most);
        boolean more = entries.size() > limit;
        List<Entry> shown = more ? entries.subList(0, limit) : entries;
        return new Page(
                shown.stream().map(Entry::slot).toList(),
                more ? shown.get(limit - 1).at.toString() : null);
    }

    private Cursor first(Connection connection, View view) throws SQLException {
        return view == View.OLDEST && counting.beyondSample(connection).isPresent() ? Cursor.FIRST_ID : Cursor.OLDEST;
    }

    private SqlStatement of(View view) {
        return switch (view) {
            case IN_FLIGHT -> inFlight;
            case UNKNOWN -> unknown;
            case OLDEST -> oldest;
        };
    }

    private static Entry entry(ResultSet columns, boolean byId) throws SQLException {
        byte[] id = SqlValues.binary16(columns, "id");
        SlotRow row = SlotRow.read(columns);
        byte[] scope = columns.getBytes("scope");
        byte[] name = columns.getBytes("name");
        Key key = scope == null || name == null
                ? Key.of(NOT_KEPT, HexFormat.of().formatHex(id))
                : Key.of(new String(scope, StandardCharsets.UTF_8), new String(name, StandardCharsets.UTF_8));
        return new Entry(row.slot(key), new Cursor(byId ? Cursor.BY_ID : row.since(), id));
    }

    private record Entry(Slot slot, Cursor at) {}

    /** The position of the last slot of a page. */
    private record Cursor(long since, byte[] id) {

        /** Takes the place of a time, which is never negative. */
        static final long BY_ID = -1;

        static final Cursor FIRST_ID = new Cursor(BY_ID, new byte[Key.HASH_BYTES]);
        static final Cursor OLDEST = new Cursor(Long.MIN_VALUE, new byte[Key.HASH_BYTES]);

        boolean isById() {
            return since == BY_ID;
        }

        @Override
        public String toString() {
            return since + "." + HexFormat.of().formatHex(id);
        }

        static Cursor parse(String cursor) {
            int dot = cursor.indexOf('.');
            return new Cursor(
                    Long.parseLong(cursor.substring(0, dot)), HexFormat.of().parseHex(cursor.substring(dot + 1)));
        }
    }
}
