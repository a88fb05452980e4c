// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static io.semel.jdbc.Proxies.proxy;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.testkit.fault.Wire.Moment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database whose driver loses a connection at a commit, and puts another one in its place by itself. */
final class Swapped implements AutoCloseable {

    private final DataSource database;
    private final AtomicReference<@Nullable Moment> next = new AtomicReference<>();
    private volatile boolean kills;
    private volatile @Nullable Connection lost;
    private volatile @Nullable PreparedStatement last;
    private volatile @Nullable AtomicReference<Connection> newest;

    Swapped(DataSource database) {
        this.database = database;
    }

    /** At the next commit. */
    void swapAt(Moment moment) {
        next.set(moment);
    }

    /** The same, and what was lost is noticed by the server at once. */
    void swapAndKillAt(Moment moment) {
        kills = true;
        swapAt(moment);
    }

    DataSource source() {
        return proxy(DataSource.class, (method, given) -> {
            Object value = method.invoke(database, given);
            return value instanceof Connection connection ? connection(connection) : value;
        });
    }

    private Connection connection(Connection first) {
        AtomicReference<Connection> real = new AtomicReference<>(first);
        newest = real;
        return proxy(Connection.class, (method, given) -> {
            Step step = () -> method.invoke(real.get(), given);
            if (method.getName().equals("commit")) {
                return commit(real, step);
            }
            Object value = step.take();
            return value instanceof PreparedStatement statement
                            && String.valueOf(given[0]).endsWith("COMMIT")
                    ? committing(real, statement)
                    : value;
        });
    }

    private PreparedStatement committing(AtomicReference<Connection> real, PreparedStatement statement) {
        return proxy(PreparedStatement.class, (method, given) -> {
            Step step = () -> method.invoke(statement, given);
            if (method.getName().equals("close") && statement == last) {
                // What was sent is sent.
                return null;
            }
            if (!method.getName().startsWith("execute")) {
                return step.take();
            }
            if (next.get() == Moment.BEFORE) {
                last = statement;
            }
            return commit(real, step);
        });
    }

    private @Nullable Object commit(AtomicReference<Connection> real, Step step) throws Exception {
        Moment moment = next.getAndSet(null);
        if (moment == null) {
            return step.take();
        }
        if (moment == Moment.AFTER) {
            step.take();
        }
        swap(real);
        throw new SQLException("The connection was lost, and made anew.", "08S01");
    }

    /** Without a word, the connection that was opened last. */
    void swapSilently() throws SQLException {
        kills = true;
        swap(Objects.requireNonNull(newest));
    }

    private void swap(AtomicReference<Connection> real) throws SQLException {
        lost = real.get();
        if (kills) {
            Admin.of(database).kill(lost());
            // Only now may the pool find out; it does not like to be given dead connections back.
            assertThatThrownBy(lost()::close).isInstanceOf(SQLException.class);
        }
        Connection other = database.getConnection();
        other.setAutoCommit(false);
        real.set(other);
    }

    private Connection lost() {
        return Objects.requireNonNull(lost);
    }

    /** What was sent before it was lost arrives after all. */
    void arrive() throws SQLException {
        PreparedStatement record = last;
        if (record == null) {
            lost().commit();
        } else {
            record.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        Connection left = lost;
        if (left != null && !kills) {
            left.close();
        }
    }

    private interface Step {

        @Nullable
        Object take() throws Exception;
    }
}
