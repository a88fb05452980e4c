// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

class MariaDbServiceTest extends ServiceContract {

    @Override
    String url() {
        return MariaDb.newUrl("service", MariaDb.Driver.MARIADB);
    }

    @Override
    String user() {
        return "root";
    }

    @Override
    String impatience() {
        return "?sessionVariables=max_statement_time=0.2";
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
