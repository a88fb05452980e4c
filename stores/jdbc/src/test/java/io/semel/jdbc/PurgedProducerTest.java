// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.producer.Batch;
import io.semel.producer.Producer;
import io.semel.producer.Receipt;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A producer that appends while a purge is looking at it is not idle. */
class PurgedProducerTest {

    /** Stops the purge after it has begun to see the database as it is, and before it has locked anything. */
    private static final String GATE = """
            ALTER TABLE semel_producer RENAME TO producer_behind_gate;
            CREATE FUNCTION gate() RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN
                IF current_setting('application_name') = 'purger' THEN
                    PERFORM pg_advisory_lock_shared(42);
                    PERFORM pg_advisory_unlock_shared(42);
                END IF;
                RETURN true;
            END $$;
            CREATE VIEW semel_producer AS SELECT id, epoch, advanced, used, name FROM producer_behind_gate WHERE gate()
            """;

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void whoAppendedWhileThePurgeLookedIsKept() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (HikariDataSource pool = Postgres.newest().newDatabase("purged_producer");
                HikariDataSource purgers = named(pool, "purger");
                Connection gate = pool.getConnection()) {
            Schema.createProducers(pool);
            JdbcProducers producers = JdbcProducers.on(pool);
            Producer producer = producers.register();
            assertThat(producers.append(new Batch(producer, "orders", 0, 1), any -> 1))
                    .isEqualTo(new Receipt.Appended(1));
            execute(gate, "UPDATE semel_producer SET used = 0");
            execute(gate, "UPDATE semel_producer_stream SET used = 0");
            execute(gate, GATE);
            execute(gate, "SELECT pg_advisory_lock(42)");

            JdbcProducers purging = JdbcProducers.on(purgers);
            Future<Integer> purged = thread.submit(() -> purging.purge(Duration.ofDays(1), 10));
            awaitOneThatWaits(gate);
            Batch late = new Batch(producer, "orders", 1, 1);
            assertThat(producers.append(late, any -> 2)).isEqualTo(new Receipt.Appended(2));
            execute(gate, "SELECT pg_advisory_unlock(42)");

            assertThat(purged.get()).isZero();
            assertThat(producers.append(late, any -> 3)).isEqualTo(new Receipt.Duplicate(2));
        } finally {
            thread.shutdownNow();
        }
    }

    private static HikariDataSource named(HikariDataSource pool, String name) {
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        config.addDataSourceProperty("ApplicationName", name);
        return new HikariDataSource(config);
    }

    private static void awaitOneThatWaits(Connection connection) throws SQLException {
        String waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        while (true) {
            try (java.sql.Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(waits)) {
                row.next();
                if (row.getInt(1) == 1) {
                    return;
                }
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
