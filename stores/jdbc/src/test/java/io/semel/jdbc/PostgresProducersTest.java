// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgresProducersTest extends JdbcProducersContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Postgres.newest().newDatabase(name);
    }
}
