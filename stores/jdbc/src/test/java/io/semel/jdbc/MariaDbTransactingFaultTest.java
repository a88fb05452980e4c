// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MariaDbTransactingFaultTest extends TransactingFaultContract {

    @Override
    Wired open() {
        return MariaDb.wired("transacting_faults_mariadb", MariaDb.Driver.MARIADB);
    }
}
