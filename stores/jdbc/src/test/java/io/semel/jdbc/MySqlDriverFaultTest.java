// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MySqlDriverFaultTest extends MariaDbFaultTest {

    @Override
    MariaDb.Driver driver() {
        return MariaDb.Driver.MYSQL;
    }
}
