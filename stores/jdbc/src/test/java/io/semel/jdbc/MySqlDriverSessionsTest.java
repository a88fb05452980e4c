// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MySqlDriverSessionsTest extends JdbcSessionsContract {

    /** Updates count only rows that they change, and nothing is strict. */
    private static final String HOSTILE = "?useAffectedRows=true&sessionVariables=sql_mode='ANSI'";

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.of(
                MariaDb.newUrl(name + "_mysql", MariaDb.Driver.MYSQL) + HOSTILE, MariaDb.USER, MariaDb.PASSWORD);
    }
}
