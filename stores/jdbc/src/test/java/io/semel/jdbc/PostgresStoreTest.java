// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class PostgresStoreTest extends DurableJdbcStoreContract {

    private final HikariDataSource pool = Postgres.newest().newDatabase("leased");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    protected void crash() {
        Postgres.newest().crash();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
