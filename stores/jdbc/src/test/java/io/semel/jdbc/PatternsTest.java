// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The statements that {@code docs/jdbc.md} shows, as it shows them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PatternsTest {

    private final HikariDataSource database = Postgres.newest().newDatabase("patterns");
    private final Admin admin = Admin.of(database);
    private final List<String> shown = shown();

    @BeforeAll
    void createTables() throws SQLException {
        admin.execute("CREATE TABLE shipment (id integer PRIMARY KEY, state text, version integer)");
        admin.execute("CREATE TABLE account (id integer PRIMARY KEY, balance integer, fence bigint)");
    }

    @AfterAll
    void stop() {
        database.close();
    }

    @Test
    void anUpsertGuardedByStateNeverTurnsItBack() throws SQLException {
        String upsert = shown.get(0);

        assertThat(update(upsert, 1, 2)).isEqualTo(1);
        assertThat(update(upsert, 1, 2)).isZero();
        assertThat(update(upsert, 1, 1)).isZero();
        assertThat(update(upsert, 1, 3)).isEqualTo(1);
        assertThat(admin.number("SELECT version FROM shipment WHERE id = 1")).isEqualTo(3);
    }

    @Test
    void aLockOnANaturalKeyLastsAsLongAsTheTransaction() throws SQLException {
        CompletableFuture<Void> second;
        try (Connection first = database.getConnection()) {
            first.setAutoCommit(false);
            lock(first, "alice");
            second = CompletableFuture.runAsync(this::lockAlice);
            admin.awaitWaiters(1);
            try (Connection other = database.getConnection()) {
                other.setAutoCommit(false);
                lock(other, "bob");
                other.rollback();
            }
            assertThat(second).isNotDone();
            first.commit();
        }
        second.join();
    }

    @Test
    void aFencedWriteOfAHolderThatWasGivenUpChangesNothing() throws SQLException {
        String write = shown.get(2);
        admin.execute("INSERT INTO account VALUES (1, 100, 0)");

        assertThat(update(write, 90, 7L, 1, 7L)).isEqualTo(1);
        assertThat(update(write, 80, 9L, 1, 9L)).isEqualTo(1);
        assertThat(update(write, 90, 7L, 1, 7L)).isZero();
        assertThat(admin.number("SELECT balance FROM account WHERE id = 1")).isEqualTo(80);
    }

    private void lockAlice() {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            lock(connection, "alice");
            connection.rollback();
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    private void lock(Connection connection, String account) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(shown.get(1))) {
            lock.setString(1, account);
            lock.execute();
        }
    }

    private int update(String sql, Object... parameters) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static List<String> shown() {
        try {
            String text = Files.readString(Path.of("../../docs/jdbc.md"));
            return Pattern.compile("```sql\n(.*?);\n```", Pattern.DOTALL)
                    .matcher(text)
                    .results()
                    .map((MatchResult result) -> result.group(1))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
