// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MySqlDriverFaultTest extends FaultContract {

    @Override
    Wired open() {
        return MariaDb.wired("faults_mysql", MariaDb.Driver.MYSQL);
    }
}
