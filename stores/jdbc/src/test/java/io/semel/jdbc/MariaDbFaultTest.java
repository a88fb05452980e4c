// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbFaultTest extends FaultContract {

    @Override
    HikariDataSource direct() {
        return Pools.of(MariaDb.newUrl("faults", MariaDb.Driver.MARIADB), "root", "");
    }

    @Override
    HikariDataSource through(int port) {
        return Pools.of(MariaDb.Driver.MARIADB.url(port, "faults") + "?socketTimeout=1000", "root", "");
    }

    @Override
    int port() {
        return MariaDb.port();
    }

    @Override
    void crash() {
        MariaDb.crash();
    }
}
