// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbFaultTest extends FaultContract {

    MariaDb.Driver driver() {
        return MariaDb.Driver.MARIADB;
    }

    private String name() {
        return "faults_" + driver();
    }

    @Override
    HikariDataSource direct() {
        return Pools.of(MariaDb.newUrl(name(), driver()), "root", "");
    }

    @Override
    HikariDataSource through(int port) {
        return Pools.of(driver().url(port, name()) + "?socketTimeout=1000", "root", "");
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
