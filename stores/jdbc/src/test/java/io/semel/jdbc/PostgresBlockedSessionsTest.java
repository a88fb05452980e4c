// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class PostgresBlockedSessionsTest extends BlockedSessionsContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Postgres.newest().newDatabase(name);
    }
}
