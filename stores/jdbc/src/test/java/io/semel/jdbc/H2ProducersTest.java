// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2ProducersTest extends JdbcProducersContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.of("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "");
    }
}
