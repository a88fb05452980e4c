// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbProducersTest extends JdbcProducersContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.transactional(
                MariaDb.newUrl(name, MariaDb.Driver.MARIADB),
                MariaDb.USER,
                MariaDb.PASSWORD,
                "TRANSACTION_REPEATABLE_READ");
    }
}
