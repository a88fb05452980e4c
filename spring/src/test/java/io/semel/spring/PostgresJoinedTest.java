// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

class PostgresJoinedTest extends JoinedContract {

    @Override
    String url() {
        return Postgres.newUrl();
    }

    @Override
    String user() {
        return "postgres";
    }
}
