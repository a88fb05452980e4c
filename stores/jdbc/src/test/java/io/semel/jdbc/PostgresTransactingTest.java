// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.StoreException;
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

    @AfterAll
    void stop() {
        narrow.close();
        pool.close();
    }
}
