// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class PostgresFaultTest extends FaultContract {

    @Override
    Wired open() {
        return Postgres.killable().wired("faults");
    }
}
