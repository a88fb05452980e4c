// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Operation;
import io.semel.jdbc.TransactingStore;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;

/** How many bytes a finished record takes in PostgreSQL, with its indexes, answer and key included. */
final class JdbcSize {

    private static final int RECORDS = 20_000;

    static void print(DurablePostgres postgres, String title, TransactingStore store, Operation operation)
            throws SQLException {
        postgres.execute("TRUNCATE semel_slot");
        Engine engine = Engine.on(store).with(operation);
        for (int i = 0; i < RECORDS; i++) {
            Key key = Key.of("payments/tenant-7", UUID.randomUUID().toString());
            engine.run(Call.of(key, Fingerprint.of("500 EUR")), Codec.bytes(), attempt -> Answers.json(200));
        }
        postgres.execute("VACUUM semel_slot");
        double table = postgres.number("SELECT pg_table_size('semel_slot')") / (double) RECORDS;
        double indexes = postgres.number("SELECT pg_indexes_size('semel_slot')") / (double) RECORDS;
        System.out.printf(
                Locale.ROOT,
                "%n%s: %.0f bytes per record, of them %.0f for indexes%n",
                title,
                table + indexes,
                indexes);
    }

    private JdbcSize() {}
}
