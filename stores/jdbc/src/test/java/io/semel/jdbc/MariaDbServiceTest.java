// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class MariaDbServiceTest extends ServiceContract {

    @Override
    String url() {
        return MariaDb.newUrl("service", MariaDb.Driver.MARIADB);
    }

    @Override
    String user() {
        return MariaDb.USER;
    }

    @Override
    String password() {
        return MariaDb.PASSWORD;
    }

    @Override
    String impatience() {
        return "?sessionVariables=max_statement_time=0.2";
    }

    @Override
    String doom() {
        return "";
    }

    /** Whoever has changed less loses. */
    @Override
    void spare(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.createStatement().execute("INSERT INTO gate SELECT seq, 0 FROM seq_3_to_1000");
    }

    @Override
    List<String> gated() {
        return List.of("""
                CREATE TRIGGER gated AFTER UPDATE ON semel_slot FOR EACH ROW
                IF OLD.holder IS NOT NULL AND NEW.holder IS NULL THEN
                    UPDATE gate SET passed = passed + 1 WHERE id = 1;
                    UPDATE gate SET passed = passed + 1 WHERE id = 2;
                END IF
                """);
    }

    @Override
    String ungated() {
        return "DROP TRIGGER gated";
    }

    @Override
    int waiters() {
        return 1;
    }

    @Override
    void lock(Connection connection) throws SQLException {
        connection.createStatement().execute("LOCK TABLES semel_slot WRITE");
    }

    @Override
    void unlock(Connection connection) throws SQLException {
        connection.createStatement().execute("UNLOCK TABLES");
    }
}
