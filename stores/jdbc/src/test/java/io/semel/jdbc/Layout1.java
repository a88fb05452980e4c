// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.jdbc.internal.sql.SqlStatement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The table as it was in layout 1, and what a process of that time says to it. */
final class Layout1 {

    static final Fingerprint PRINT = Fingerprint.of("500 EUR");
    private static final String SCOPE = "payments";

    private final DataSource database;
    private final Dialect dialect;
    private final SqlStatement insert;
    private final SqlStatement claim;
    private final SqlStatement complete;
    private final SqlStatement take;
    private final SqlStatement amend;
    private final SqlStatement free;

    private Layout1(DataSource database, Dialect dialect) {
        this.database = database;
        this.dialect = dialect;
        this.insert = new SqlStatement(dialect.sql(), """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, result, scope, name)
                VALUES (?, ?, 7, 1, ?, $now, $now + ?, ?, ?, ?, ?)
                """);
        this.claim = new SqlStatement(dialect.sql(), """
                INSERT INTO semel_slot (id, print, fence, attempts, holder, since, until, forget, scope, name)
                VALUES (?, ?, 7, 1, ?, $now, $now + 3600000000, 9223372036854775807, ?, ?)
                """);
        this.complete = new SqlStatement(dialect.sql(), """
                UPDATE semel_slot SET holder = NULL, result = ?, since = $now, until = $now + 3600000000, forget = $now + 3600000000
                WHERE id = ? AND holder = ? AND fence = 7
                """);
        this.take = new SqlStatement(dialect.sql(), """
                UPDATE semel_slot SET holder = ?, since = $now, until = $now + 3600000000, forget = 9223372036854775807, result = NULL,
                    fence = 7, attempts = 1
                WHERE id = ? AND holder IS NULL AND forget <= $now
                """);
        this.amend = new SqlStatement(dialect.sql(), """
                UPDATE semel_slot SET result = ?, since = $now, until = $now + 3600000000, forget = $now + 3600000000
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
        this.free = new SqlStatement(dialect.sql(), """
                UPDATE semel_slot SET result = NULL, until = 0, forget = 0
                WHERE id = ? AND holder IS NULL AND until > $now AND result = ?
                """);
    }

    static Layout1 create(DataSource database, Dialect dialect) throws SQLException {
        for (String sql : script(dialect).split(";\\s*\\n", -1)) {
            if (!sql.isBlank()) {
                Admin.of(database).execute(sql);
            }
        }
        return new Layout1(database, dialect);
    }

    private static String script(Dialect dialect) {
        String name = "layout1/" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream in = Layout1.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Key key(String id) {
        return Key.of(SCOPE, id);
    }

    /** A row whose lease or retention ends so many seconds from now. */
    void row(String id, @Nullable String holder, long seconds, long forget, byte @Nullable [] result)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            insert.update(
                    connection,
                    dialect.sql().binary16(key(id).hash()),
                    dialect.sql().binary16(PRINT.toBytes()),
                    holder == null ? null : bytes(holder),
                    seconds * 1_000_000,
                    forget,
                    result,
                    bytes(SCOPE),
                    bytes(id));
        }
    }

    void claim(String id, String holder) throws SQLException {
        try (Connection connection = database.getConnection()) {
            claim.update(
                    connection,
                    dialect.sql().binary16(key(id).hash()),
                    dialect.sql().binary16(PRINT.toBytes()),
                    bytes(holder),
                    bytes(SCOPE),
                    bytes(id));
        }
    }

    boolean complete(String id, String holder, byte[] result) throws SQLException {
        return says(complete, result, id(id), bytes(holder));
    }

    /** Claims a free slot. */
    boolean take(String id, String holder) throws SQLException {
        return says(take, bytes(holder), id(id));
    }

    /** Resolves what was settled. */
    boolean amend(String id, byte[] seen, byte[] result) throws SQLException {
        return says(amend, result, id(id), seen);
    }

    boolean free(String id, byte[] seen) throws SQLException {
        return says(free, id(id), seen);
    }

    private boolean says(SqlStatement statement, Object... parameters) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return statement.update(connection, parameters) == 1;
        }
    }

    private Object id(String id) {
        return dialect.sql().binary16(key(id).hash());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
