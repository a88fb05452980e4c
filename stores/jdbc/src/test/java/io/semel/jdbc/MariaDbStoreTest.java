// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testkit.store.CrashLaws;
import org.junit.jupiter.api.AfterAll;

class MariaDbStoreTest extends JdbcStoreContract implements CrashLaws {

    private final HikariDataSource pool = Pools.transactional(
            MariaDb.newUrl(MariaDb.killable(), "leased_mariadb", MariaDb.Driver.MARIADB),
            MariaDb.USER,
            MariaDb.PASSWORD,
            "TRANSACTION_REPEATABLE_READ");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    public void killAndRestart() {
        MariaDb.killable().crash();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
