// SPDX-License-Identifier: Apache-2.0
package io.semel.soak;

import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.jdbc.TransactingStore;
import org.junit.jupiter.api.Test;

class PostgresSoakTest {

    @Test
    void leasedKeysComeBackToWhereTheyWere() throws Exception {
        try (DurablePostgres postgres = new DurablePostgres()) {
            Schema.create(postgres.pool());
            new KeyTraffic(JdbcStore.on(postgres.pool()))
                    .soak("postgresql")
                    .count("connections", postgres::lent)
                    .run();
        }
    }

    @Test
    void joinedKeysComeBackToWhereTheyWere() throws Exception {
        try (DurablePostgres postgres = new DurablePostgres()) {
            Schema.create(postgres.pool());
            new KeyTraffic(TransactingStore.on(postgres.pool()), JdbcStore.on(postgres.pool()))
                    .soak("postgresql, joined")
                    .count("connections", postgres::lent)
                    .run();
        }
    }
}
