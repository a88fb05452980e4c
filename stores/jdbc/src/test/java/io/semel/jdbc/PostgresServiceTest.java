// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

class PostgresServiceTest extends ServiceContract {

    @Override
    String url() {
        return Postgres.newest().newUrl("service");
    }

    @Override
    String user() {
        return "postgres";
    }

    @Override
    String password() {
        return "";
    }

    @Override
    String impatience() {
        return "&options=-c%20statement_timeout=200";
    }

    @Override
    String doom() {
        return "&options=-c%20deadlock_timeout=10ms";
    }

    /** Whoever looks first for a circle that it waits in breaks it. */
    @Override
    void spare(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.createStatement().execute("SET LOCAL deadlock_timeout = '1min'");
    }

    @Override
    List<String> gated() {
        return List.of(
                """
                CREATE FUNCTION pass() RETURNS trigger AS $$
                BEGIN
                    UPDATE gate SET passed = passed + 1 WHERE id = 1;
                    UPDATE gate SET passed = passed + 1 WHERE id = 2;
                    RETURN NULL;
                END $$ LANGUAGE plpgsql
                """, "CREATE TRIGGER gated AFTER UPDATE OF holder ON semel_slot FOR EACH ROW EXECUTE FUNCTION pass()");
    }

    @Override
    String ungated() {
        return "DROP TRIGGER gated ON semel_slot";
    }

    @Override
    int waiters() {
        return 2;
    }

    @Override
    void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        connection.createStatement().execute("LOCK TABLE semel_slot");
    }

    @Override
    void unlock(Connection connection) throws SQLException {
        connection.rollback();
    }
}
