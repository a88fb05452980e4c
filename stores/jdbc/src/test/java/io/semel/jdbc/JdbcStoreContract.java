// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Key;
import io.semel.store.Store;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The laws on a real database. */
abstract class JdbcStoreContract extends StoreContract {

    abstract HikariDataSource database();

    @BeforeAll
    void createTable() {
        Schema.create(database());
    }

    /** Not because anything must be clean, but because all that is there has to be made older again and again. */
    @AfterEach
    void empty() {
        Elapsing.empty(database());
    }

    @Override
    protected Store open() {
        return JdbcStore.on(database());
    }

    @Override
    protected AutoCloseable blocked(Key key) {
        return LockedRow.of(database(), key);
    }

    @Override
    protected Store failing() {
        return Pools.closed(database());
    }

    @Override
    protected void elapse(Duration span) {
        Elapsing.elapse(database(), span);
    }
}
