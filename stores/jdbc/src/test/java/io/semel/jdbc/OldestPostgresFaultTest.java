// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class OldestPostgresFaultTest extends FaultContract {

    @Override
    Wired open() {
        return Postgres.oldest().wired("faults");
    }
}
