// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class OldestPostgresStoreTest extends JdbcStoreContract {

    private final HikariDataSource pool =
            Pools.transactional(Postgres.oldest().newUrl("leased"), "postgres", "", "TRANSACTION_SERIALIZABLE");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
