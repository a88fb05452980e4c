// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import io.semel.Purgeable;
import io.semel.Store;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Has stores that do not do so by themselves drop what has expired, now and then. */
final class Upkeep implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());
    private static final int MOST = 100_000;

    private final List<Purgeable> stores;
    private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "semel-upkeep");
        thread.setDaemon(true);
        return thread;
    });

    Upkeep(Store keys, @Nullable Store sessions) {
        this.stores = Stream.of(keys, sessions)
                .filter(Purgeable.class::isInstance)
                .map(Purgeable.class::cast)
                .toList();
    }

    void begin() {
        stores.forEach(store -> timer.scheduleWithFixedDelay(() -> purge(store), 1, 5, TimeUnit.MINUTES));
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
