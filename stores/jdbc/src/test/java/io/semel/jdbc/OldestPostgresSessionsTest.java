// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class OldestPostgresSessionsTest extends JdbcSessionsContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.transactional(Postgres.oldest().newUrl(name), "postgres", "", "TRANSACTION_READ_COMMITTED");
    }
}
