// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MySqlDriverTransactingTest extends MariaDbTransactingTest {

    @Override
    MariaDb.Driver driver() {
        return MariaDb.Driver.MYSQL;
    }
}
