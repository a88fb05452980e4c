// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgresFaultTest extends FaultContract {

    @Override
    HikariDataSource direct() {
        return server().newDatabase("faults");
    }

    @Override
    HikariDataSource through(int port) {
        // Prepared by name, statements would not say on the wire what they are.
        String options = "?sslmode=disable&prepareThreshold=0&socketTimeout=1";
        return Pools.of("jdbc:postgresql://localhost:" + port + "/faults" + options, "postgres", "");
    }

    @Override
    int port() {
        return server().port();
    }

    @Override
    void crash() {
        server().crash();
    }

    Postgres server() {
        return Postgres.newest();
    }
}
