// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;

class MariaDbJoinedTest extends ServerJoinedStoreContract {

    /** The default from MariaDB 11.6 on. */
    private static final String SNAPSHOTS = "?sessionVariables=innodb_snapshot_isolation=ON";

    private final HikariDataSource pool =
            Pools.of(MariaDb.newUrl("joined_mariadb", MariaDb.Driver.MARIADB) + SNAPSHOTS, "root", "");

    @Override
    HikariDataSource database() {
        return pool;
    }

    @AfterAll
    void stop() {
        pool.close();
    }
}
