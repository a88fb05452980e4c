// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.Store;

/** Connection pools as services have them. */
final class Pools {

    static HikariDataSource of(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    /** A store whose pool was closed after it was opened. */
    static Store closed(HikariDataSource pool) {
        HikariDataSource other = of(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
        Store store = JdbcStore.on(other);
        other.close();
        return store;
    }

    private Pools() {}
}
