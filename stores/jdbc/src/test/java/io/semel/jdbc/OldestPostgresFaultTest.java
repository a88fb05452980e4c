// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

class OldestPostgresFaultTest extends PostgresFaultTest {

    @Override
    Postgres server() {
        return Postgres.oldest();
    }
}
