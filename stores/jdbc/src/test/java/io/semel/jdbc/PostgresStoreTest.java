// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testkit.store.CrashLaws;
import org.junit.jupiter.api.AfterAll;

class PostgresStoreTest extends JdbcStoreContract implements CrashLaws {

    private final HikariDataSource pool = Postgres.killable().newDatabase("leased");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    public void killAndRestart() {
        Postgres.killable().crash();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
