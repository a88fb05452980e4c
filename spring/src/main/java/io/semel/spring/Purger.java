// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import io.semel.Purgeable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Drops expired records in the background, a batch at a time, for stores that have to be told. */
final class Purger implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Purger.class);

    private final Purgeable store;
    private final SemelProperties.Purge settings;
    private final AtomicLong purged = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    /** Only its own thread reads and writes it. */
    private boolean failing;

    private @Nullable CountDownLatch stopped;

    Purger(Purgeable store, SemelProperties.Purge settings) {
        this.store = store;
        this.settings = settings;
    }

    @Override
    public synchronized void start() {
        if (stopped == null) {
            CountDownLatch end = new CountDownLatch(1);
            Thread thread = new Thread(() -> run(end), "semel-purge");
            thread.setDaemon(true);
            thread.start();
            stopped = end;
        }
    }

    private void run(CountDownLatch end) {
        try {
            while (!end.await(settings.interval().toMillis(), TimeUnit.MILLISECONDS)) {
                round();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Said once, not every minute of a night in which the database is away; the counter says how often. */
    private void round() {
        try {
            purged.addAndGet(store.purge(settings.batch()));
            if (failing) {
                LOG.info("Expired records of Semel are purged again.");
            }
            failing = false;
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            if (!failing) {
                LOG.warn(
                        "Expired records of Semel could not be purged; it is tried again every {}, and said when it works.",
                        settings.interval(),
                        e);
            }
            failing = true;
        }
    }

    /** Without an interrupt, which some databases do not survive. */
    @Override
    public synchronized void stop() {
        if (stopped != null) {
            stopped.countDown();
            stopped = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return stopped != null;
    }

    long purged() {
        return purged.get();
    }

    long failures() {
        return failures.get();
    }
}
