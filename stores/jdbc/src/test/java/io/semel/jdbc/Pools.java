// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.store.Store;
import java.util.Locale;

/** Connection pools as services have them. */
final class Pools {

    private static final int MOST_CONNECTIONS = 20;

    static HikariDataSource of(String url, String user, String password) {
        return new HikariDataSource(config(url, user, password));
    }

    /** A pool whose connections come in the middle of a transaction, and of a strict one. */
    static HikariDataSource transactional(String url, String user, String password, String isolation) {
        HikariConfig config = config(url, user, password);
        config.setAutoCommit(false);
        config.setTransactionIsolation(isolation);
        return new HikariDataSource(config);
    }

    /** On a new, empty database of that kind. */
    static HikariDataSource fresh(Dialect dialect, String name) {
        String fresh = name + "_" + dialect.name().toLowerCase(Locale.ROOT);
        return switch (dialect) {
            case POSTGRESQL -> Postgres.newest().newDatabase(fresh);
            case MARIADB -> of(MariaDb.newUrl(fresh, MariaDb.Driver.MARIADB), MariaDb.USER, MariaDb.PASSWORD);
            case H2 -> of("jdbc:h2:mem:" + fresh + ";DB_CLOSE_DELAY=-1", "sa", "");
        };
    }

    static HikariDataSource ofOne(String url, String user, String password) {
        HikariConfig config = config(url, user, password);
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    private static HikariConfig config(String url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(MOST_CONNECTIONS);
        config.setMinimumIdle(0);
        return config;
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
