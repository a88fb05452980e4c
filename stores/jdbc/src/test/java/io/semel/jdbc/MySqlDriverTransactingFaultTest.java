// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MySqlDriverTransactingFaultTest extends TransactingFaultContract {

    @Override
    Wired open() {
        return MariaDb.wired("transacting_faults_mysql", MariaDb.Driver.MYSQL);
    }
}
