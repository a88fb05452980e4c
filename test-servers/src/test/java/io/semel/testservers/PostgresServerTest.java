// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.testservers.PostgresServer.Version;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresServerTest {

    @Test
    void theSharedOneIsOfTheNewestVersionAndGivesLocksUpSoon() throws SQLException {
        String url = PostgresServer.shared().newDatabase("empty");

        assertThat(value(url, "SHOW server_version")).startsWith("18.");
        assertThat(value(url, "SHOW deadlock_timeout")).isEqualTo("100ms");
    }

    @Test
    void theOldestVersionKeepsWhatItAcknowledgedBeforeACrash() throws SQLException {
        try (PostgresServer server = PostgresServer.start(Version.OLDEST)) {
            String url = server.newDatabase("kept");
            execute(url, "CREATE TABLE kept AS SELECT 'all' AS what");

            server.crash();

            assertThat(value(url, "SELECT what FROM kept")).isEqualTo("all");
            assertThat(value(url, "SHOW server_version")).startsWith("15.");
            assertThat(value(url, "SELECT current_setting('fsync') || current_setting('synchronous_commit')"))
                    .isEqualTo("onon");
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
