// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.Purgeable;
import io.semel.Store;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Has stores that do not do so by themselves drop what has expired, now and then. */
final class Upkeep implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
    private static final int MOST = 100_000;

    private final Store store;
    private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "semel-upkeep");
        thread.setDaemon(true);
        return thread;
    });

    Upkeep(Store store) {
        this.store = store;
    }

    void begin() {
        if (store instanceof Purgeable purgeable) {
            timer.scheduleWithFixedDelay(() -> purge(purgeable), 1, 5, TimeUnit.MINUTES);
        }
    }

    private static void purge(Purgeable store) {
        try {
            store.purge(MOST);
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "What has expired was not dropped; it is tried again: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
