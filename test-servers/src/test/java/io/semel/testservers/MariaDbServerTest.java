// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class MariaDbServerTest {

    @Test
    void itFoldsCasesAndKeepsWhatItAcknowledgedBeforeACrash() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start()) {
            server.newDatabase("kept");
            String url = "jdbc:mariadb://localhost:" + server.port() + "/kept";
            execute(url, "CREATE TABLE kept (what VARCHAR(9))");
            execute(url, "INSERT INTO kept VALUES ('ALL')");

            server.crash("--innodb-rollback-on-timeout=ON");

            assertThat(value(url, "SELECT what FROM kept WHERE what = 'all'")).isEqualTo("ALL");
            assertThat(value(url, "SELECT @@innodb_rollback_on_timeout")).isEqualTo("1");
            assertThat(value(url, "SELECT @@time_zone")).isEqualTo("-03:30");
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, MariaDbServer.USER, MariaDbServer.PASSWORD);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String value(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, MariaDbServer.USER, MariaDbServer.PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
