// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class MariaDbFaultTest extends FaultContract {

    @Override
    Wired open() {
        return MariaDb.wired("faults_mariadb", MariaDb.Driver.MARIADB);
    }
}
