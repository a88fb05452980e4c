// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

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
    String impatience() {
        return "&options=-c%20statement_timeout=200";
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
