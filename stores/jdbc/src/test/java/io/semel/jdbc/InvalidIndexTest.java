// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An index whose CREATE INDEX CONCURRENTLY was interrupted is there and of no use; it is built again. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class InvalidIndexTest {

    private static final String INVALID = """
            SELECT COUNT(*) FROM pg_index WHERE NOT indisvalid
            """;

    @Test
    void indexesThatWereInterruptedAreBuiltAgain() throws SQLException {
        try (HikariDataSource database = Pools.fresh(Dialect.POSTGRESQL, "invalid_indexes")) {
            createAll(database);
            interrupt(database, "semel_slot", "semel_slot_due", "(until) WHERE holder IS NULL");
            interrupt(database, "semel_session", "semel_session_look", "(expired, look)");
            interrupt(database, "semel_producer", "semel_producer_used", "(used)");
            assertThat(Admin.of(database).number(INVALID)).isEqualTo(3);

            createAll(database);

            assertThat(Admin.of(database).number(INVALID)).isZero();
            assertThat(Admin.of(database).number("""
                    SELECT COUNT(*) FROM pg_class
                    WHERE relname IN ('semel_slot_due', 'semel_session_look', 'semel_producer_used')
                    """)).isEqualTo(3);
        }
    }

    private static void createAll(HikariDataSource database) {
        Schema.create(database);
        Schema.createSessions(database);
        Schema.createProducers(database);
    }

    /** It waits for a transaction that writes, until its time is up. */
    private static void interrupt(HikariDataSource database, String table, String index, String on)
            throws SQLException {
        Admin.of(database).execute("DROP INDEX " + index);
        try (Connection writing = database.getConnection();
                Connection building = database.getConnection();
                var write = writing.createStatement();
                var build = building.createStatement()) {
            writing.setAutoCommit(false);
            write.executeUpdate("DELETE FROM " + table);
            build.execute("SET statement_timeout = '200ms'");
            assertThatThrownBy(() -> build.execute("CREATE INDEX CONCURRENTLY " + index + " ON " + table + " " + on))
                    .isInstanceOf(SQLException.class);
            build.execute("RESET statement_timeout");
            writing.rollback();
        }
    }
}
