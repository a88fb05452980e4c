// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.testkit.fault.Wire.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A pool on which a session is killed at a chosen step, once; a step is a statement or a commit. */
final class DyingSessions {

    private final HikariDataSource pool;
    private final Admin admin;
    private final AtomicInteger stepsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private volatile Moment moment = Moment.BEFORE;

    DyingSessions(HikariDataSource pool) {
        this.pool = pool;
        this.admin = Admin.of(pool);
    }

    void killAt(int step, Moment when) {
        moment = when;
        stepsLeft.set(step);
    }

    /** Whether the step was reached; afterwards nobody dies any more. */
    boolean killed() {
        return stepsLeft.getAndSet(Integer.MAX_VALUE) < 0;
    }

    DataSource source() {
        return Watched.of(pool, this::step);
    }

    private Object step(Connection connection, String sql, Callable<Object> step) throws Exception {
        if (stepsLeft.getAndDecrement() != 0) {
            return step.call();
        }
        if (moment == Moment.BEFORE) {
            admin.kill(connection);
            return step.call();
        }
        long session = admin.session(connection);
        Object value = step.call();
        admin.kill(session);
        pool.evictConnection(connection);
        throw new SQLException("The answer " + value + " to " + sql + " was lost with the session.", "08006");
    }
}
