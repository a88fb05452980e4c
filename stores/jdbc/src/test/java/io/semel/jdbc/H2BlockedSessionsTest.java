// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;

class H2BlockedSessionsTest extends BlockedSessionsContract {

    @Override
    HikariDataSource newDatabase(String name) {
        return Pools.fresh(Dialect.H2, name);
    }
}
