// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MySqlDriverTransactingFaultTest extends MariaDbTransactingFaultTest {

    @Override
    MariaDb.Driver driver() {
        return MariaDb.Driver.MYSQL;
    }
}
