// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.StoreException;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which failures say that the database could not be reached. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UnreachableTest {

    /** A source that becomes another once a store is open. */
    private final AtomicReference<DataSource> behind = new AtomicReference<>();

    private final DataSource source =
            Proxies.proxy(DataSource.class, (method, given) -> behind.get().getConnection());

    @ParameterizedTest
    @EnumSource(
            value = Dialect.class,
            names = {"POSTGRESQL", "MARIADB"})
    void aServerThatDoesNotAnswerIsUnreachableWithAndWithoutAPool(Dialect dialect) {
        String gone = (dialect == Dialect.POSTGRESQL ? "jdbc:postgresql" : "jdbc:mariadb") + "://localhost:1/none";
        try (HikariDataSource database = Pools.fresh(dialect, "unreachable");
                HikariDataSource pool = pool(gone, database)) {
            for (Store store : stores(database)) {
                behind.set(Proxies.proxy(DataSource.class, (method, given) -> DriverManager.getConnection(gone)));
                assertThat(failure(store).isUnreachable()).isTrue();
                behind.set(pool);
                assertThat(failure(store).isUnreachable()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anExhaustedPoolIsNotUnreachable(Dialect dialect) throws SQLException {
        try (HikariDataSource database = Pools.fresh(dialect, "exhausted");
                HikariDataSource pool = pool(database.getJdbcUrl(), database);
                Connection only = pool.getConnection()) {
            for (Store store : stores(database)) {
                behind.set(pool);
                StoreException failure = failure(store);
                assertThat(failure.changedNothing()).isTrue();
                assertThat(failure.isUnreachable()).isFalse();
            }
            assertThat(only.isClosed()).isFalse();
        }
    }

    private List<Store> stores(DataSource database) {
        Schema.create(database);
        behind.set(database);
        return List.of(JdbcStore.on(source), TransactingStore.on(source));
    }

    private static StoreException failure(Store store) {
        return catchThrowableOfType(
                StoreException.class, () -> store.claim(Till.newCall(), "holder", Duration.ofMinutes(1)));
    }

    private static HikariDataSource pool(String url, HikariDataSource like) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(like.getUsername());
        config.setPassword(like.getPassword());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
