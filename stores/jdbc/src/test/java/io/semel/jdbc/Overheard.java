// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** A database of which is noted what is said to it, and what it refused; it can be held up. */
final class Overheard {

    private final DataSource source;
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<SQLException> refused = new CopyOnWriteArrayList<>();
    private final AtomicReference<CountDownLatch> obstacle = new AtomicReference<>();

    Overheard(DataSource source) {
        this.source = source;
    }

    DataSource source() {
        return Watched.of(source, this::step);
    }

    private Object step(Connection connection, String sql, Callable<Object> step) throws Exception {
        said.add(sql.strip());
        CountDownLatch wait = obstacle.getAndSet(null);
        if (wait != null) {
            wait.await();
        }
        try {
            return step.call();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                refused.add(cause);
            }
            throw e;
        }
    }

    /** The next statement waits until this is counted down. */
    CountDownLatch holdUp() {
        CountDownLatch latch = new CountDownLatch(1);
        obstacle.set(latch);
        return latch;
    }

    /** The first words of all that was said since the last time, in its order. */
    List<String> said() {
        List<String> verbs = said.stream().map(sql -> sql.split("\\s", 2)[0]).toList();
        said.clear();
        return verbs;
    }

    List<SQLException> refused() {
        return refused;
    }
}
