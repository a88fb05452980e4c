// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class MySqlDriverJoinedTest extends ServerJoinedStoreContract {

    private final HikariDataSource pool = Pools.of(
            MariaDb.newUrl("joined_mysql", MariaDb.Driver.MYSQL) + "?useAffectedRows=true",
            MariaDb.USER,
            MariaDb.PASSWORD);

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
