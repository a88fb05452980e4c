// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class MariaDbBlockedSessionsTest extends BlockedSessionsContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.of(MariaDb.newUrl(name, MariaDb.Driver.MARIADB), MariaDb.USER, MariaDb.PASSWORD);
    }
}
