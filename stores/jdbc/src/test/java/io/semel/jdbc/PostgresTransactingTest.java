// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Outcome;
import io.semel.Outcome.Done;
import io.semel.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class PostgresTransactingTest extends TransactingStoreContract {

    private final HikariDataSource pool = Postgres.newest().newDatabase(name());
    private final HikariDataSource narrow = Pools.ofOne(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());

    String name() {
        return "transacting";
    }

    @Override
    HikariDataSource database() {
        return pool;
    }

    @Override
    HikariDataSource withOneConnection() {
        return narrow;
    }

    @Test
    void aCommitThatTheServerRefusesIsUndoneAndSaidSo() throws Exception {
        Admin.of(pool)
                .execute("CREATE TABLE IF NOT EXISTS receipt (number integer UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        Call call = Till.newCall();
        AtomicInteger runs = new AtomicInteger();

        assertThatThrownBy(() -> engine.run(call, Till.UTF8, attempt -> {
                    runs.incrementAndGet();
                    Till.insert(store.connection(attempt), call);
                    try (var insert = store.connection(attempt).createStatement()) {
                        insert.execute("INSERT INTO receipt VALUES (1), (1)");
                    }
                    return "charged";
                }))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.changedNothing()).isTrue())
                .hasMessageContaining("could not be committed and was rolled back");
        assertThat(runs).hasValue(1);
        assertThat(till.charges(call)).isZero();
        assertThat(charge(call).orThrow()).isEqualTo("charged");
    }

    @Test
    void aTransactionThatLosesAtItsCommitIsBegunAgain() throws Exception {
        Admin.of(pool).execute("CREATE TABLE IF NOT EXISTS balance (account VARCHAR(100), cents integer)");
        Call call = Till.newCall();
        AtomicInteger runs = new AtomicInteger();
        try (HikariDataSource strict = Pools.transactional(
                pool.getJdbcUrl(), pool.getUsername(), pool.getPassword(), "TRANSACTION_SERIALIZABLE")) {
            TransactingStore strictStore = store(strict);
            Outcome<String> outcome = engine(strictStore).run(call, Till.UTF8, attempt -> {
                Connection connection = strictStore.connection(attempt);
                spend(connection);
                Till.insert(connection, call);
                if (runs.incrementAndGet() == 1) {
                    spendElsewhere(strict);
                }
                return "charged";
            });

            assertThat(outcome).isEqualTo(new Done<>("charged", false));
        }
        assertThat(runs).hasValue(2);
        assertThat(till.charges(call)).isEqualTo(1);
    }

    private static void spend(Connection connection) throws SQLException {
        long before = Admin.number(connection, "SELECT COALESCE(SUM(cents), 0) FROM balance");
        try (var statement = connection.createStatement()) {
            statement.execute("INSERT INTO balance VALUES ('" + before + "', -1)");
        }
    }

    /** Both have seen the same balance, so that neither can have been first, and only one may commit. */
    private static void spendElsewhere(HikariDataSource strict) throws SQLException {
        try (Connection other = strict.getConnection()) {
            spend(other);
            other.commit();
        }
    }

    @AfterAll
    void stop() {
        narrow.close();
        pool.close();
    }
}
