// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class H2StoreTest extends JdbcStoreContract {

    private final HikariDataSource pool = Pools.of("jdbc:h2:mem:leased;DB_CLOSE_DELAY=-1", "sa", "");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
