// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.Schema;
import org.junit.jupiter.api.Test;

class PostgresSessionsSoakTest {

    @Test
    void sessionsComeBackToWhereTheyWere() throws Exception {
        try (DurablePostgres postgres = new DurablePostgres()) {
            Schema.createSessions(postgres.pool());
            new SessionTraffic(JdbcSessions.on(postgres.pool(), 1000))
                    .soak("postgresql sessions")
                    .count("connections", postgres::lent)
                    .run();
        }
    }
}
