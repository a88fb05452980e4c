// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class PostgresStoreTest extends JdbcStoreContract {

    private final HikariDataSource pool = Postgres.newDatabase("leased");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
