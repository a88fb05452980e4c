// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;

class PostgresJoinedTest extends JoinedStoreContract {

    private final HikariDataSource pool = Postgres.newDatabase("joined");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    void awaitWaiter() throws SQLException {
        Postgres.awaitWaiter(pool);
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
