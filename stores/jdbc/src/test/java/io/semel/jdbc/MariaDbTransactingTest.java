// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class MariaDbTransactingTest extends TransactingStoreContract {

    private final String url = MariaDb.newUrl("transacting_" + driver(), driver());
    private final HikariDataSource pool = Pools.of(url, MariaDb.USER, MariaDb.PASSWORD);
    private final HikariDataSource narrow = Pools.ofOne(url, MariaDb.USER, MariaDb.PASSWORD);

    MariaDb.Driver driver() {
        return MariaDb.Driver.MARIADB;
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
    void thereIsNoDoingWithoutALock() {
        assertThatThrownBy(store::optimistic)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the record itself is the lock");
    }

    @AfterAll
    void stop() {
        narrow.close();
        pool.close();
    }
}
