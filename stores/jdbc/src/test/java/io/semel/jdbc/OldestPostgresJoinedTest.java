// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class OldestPostgresJoinedTest extends ServerJoinedStoreContract {

    private final HikariDataSource pool = Postgres.oldest().newDatabase("joined");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
