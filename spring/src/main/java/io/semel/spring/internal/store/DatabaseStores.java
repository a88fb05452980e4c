// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.semel.jdbc.Dialect;
import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.JoinedStore;
import io.semel.jdbc.Schema;
import io.semel.session.SessionStore;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.setup.InvalidSetup;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The stores in a database; apart, because their classes may be missing. */
public final class DatabaseStores {

    private final SemelProperties settings;
    private final DataSource database;

    private DatabaseStores(SemelProperties settings, DataSource database) {
        this.settings = settings;
        this.database = database;
    }

    static Optional<ApplicationStore> find(SemelProperties settings, ListableBeanFactory beans, List<String> passed) {
        DataSource database = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (database == null) {
            passed.add("there is no single or primary DataSource");
            return Optional.empty();
        }
        return new DatabaseStores(settings, database).choose(beans, passed);
    }

    private Optional<ApplicationStore> choose(ListableBeanFactory beans, List<String> passed) {
        if (settings.store() == SemelProperties.Kind.JDBC) {
            return Optional.of(leased("semel.store=jdbc"));
        }
        Optional<String> obstacle =
                obstacle(beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique());
        if (obstacle.isEmpty()) {
            return Optional.of(joined());
        }
        if (settings.store() == SemelProperties.Kind.JOINED) {
            passed.add(obstacle.get());
            return Optional.empty();
        }
        return Optional.of(leased("there is a DataSource, but " + obstacle.get()));
    }

    /** Whether transactions of the manager are on this database is seen by beginning one, whatever kind of manager it is. */
    private Optional<String> obstacle(@Nullable PlatformTransactionManager manager) {
        if (manager == null) {
            return Optional.of("there is no single or primary PlatformTransactionManager");
        }
        boolean bound =
                Boolean.TRUE.equals(new TransactionTemplate(manager).execute(status -> current(database) != null));
        return bound
                ? Optional.empty()
                : Optional.of(manager.getClass().getSimpleName()
                        + " does not show the connection of its transactions on this DataSource");
    }

    private ApplicationStore joined() {
        JdbcStore leased = open();
        JoinedStore joined = JoinedStore.on(() -> current(database), database);
        Store store = settings.jdbc().hideKeys() ? joined.hidingKeys() : joined;
        return new ApplicationStore(
                store,
                leased,
                database,
                "the database, joined to the transactions of Spring",
                "there is a DataSource with a transaction manager",
                true,
                null);
    }

    private ApplicationStore leased(String because) {
        return new ApplicationStore(open(), null, database, "the database", because, true, null);
    }

    private JdbcStore open() {
        if (settings.jdbc().initializeSchema()) {
            Schema.create(database);
        }
        try {
            JdbcStore store = JdbcStore.on(database);
            return settings.jdbc().hideKeys() ? store.hidingKeys() : store;
        } catch (IllegalStateException e) {
            throw missing(e);
        }
    }

    /** In tables of their own, beside that of keys. */
    public static SessionStore sessions(SemelProperties settings, DataSource database, int cap) {
        if (settings.jdbc().initializeSchema()) {
            Schema.createSessions(database);
        }
        try {
            return JdbcSessions.on(database, cap);
        } catch (IllegalStateException e) {
            throw missing(e);
        }
    }

    public static SessionStore joinedSessions(DataSource database, int cap) {
        return JdbcSessions.joined(() -> current(database), dialect(database), cap);
    }

    private static InvalidSetup missing(IllegalStateException e) {
        return new InvalidSetup(
                String.valueOf(e.getMessage()), "Or set semel.jdbc.initialize-schema=true, for small services.", e);
    }

    private static Dialect dialect(DataSource database) {
        try (Connection connection = database.getConnection()) {
            return Dialect.of(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("The database could not be asked what it is: " + e.getMessage(), e);
        }
    }

    private static @Nullable Connection current(DataSource database) {
        return TransactionSynchronizationManager.isActualTransactionActive()
                        && TransactionSynchronizationManager.getResource(database) instanceof ConnectionHolder bound
                ? bound.getConnection()
                : null;
    }
}
