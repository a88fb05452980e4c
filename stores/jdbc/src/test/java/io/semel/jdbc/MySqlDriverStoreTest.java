// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class MySqlDriverStoreTest extends JdbcStoreContract {

    /** Updates count only rows that they change, and nothing is strict. */
    private static final String HOSTILE = "?useAffectedRows=true&sessionVariables=sql_mode='ANSI'";

    private final HikariDataSource pool =
            Pools.of(MariaDb.newUrl("leased_mysql", MariaDb.Driver.MYSQL) + HOSTILE, MariaDb.USER, MariaDb.PASSWORD);

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
