// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class H2TransactingTest extends TransactingStoreContract {

    private static final String URL = "jdbc:h2:mem:transacting;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

    private final HikariDataSource pool = Pools.of(URL, "sa", "");
    private final HikariDataSource narrow = Pools.ofOne(URL, "sa", "");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    HikariDataSource withOneConnection() {
        return narrow;
    }

    @AfterAll
    void stop() {
        narrow.close();
        pool.close();
    }
}
