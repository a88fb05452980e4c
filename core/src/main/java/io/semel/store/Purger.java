// SPDX-License-Identifier: Apache-2.0
package io.semel.store;

import io.semel.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Drops the expired records of one store in the background, on a daemon thread of its own: a store that blocks or fails
 * holds up nobody else's purge. Each round goes on until a batch comes back short, and leaves the store to others between
 * batches; the pauses shrink for as long as the backlog lasts, so that purging keeps up with any rate of new records.
 */
public final class Purger implements AutoCloseable {

    /** The most records in a batch where nothing else is said: a short transaction in every store. */
    public static final int BATCH = 1000;

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Purgeable store;
    private final Duration interval;
    private final int batch;
    private final Watcher watcher;
    private final Time time;
    private final PurgePace pace;
    private final AtomicLong purged = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private @Nullable Round round;

    /**
     * A purger that has yet to be started.
     *
     * @param interval how often to look for expired records, and how long to wait after a failure
     * @param batch the most records to drop in one call of the store
     */
    public Purger(Purgeable store, Duration interval, int batch, Watcher watcher) {
        this(store, interval, batch, watcher, Time.system());
    }

    /** As the other, in time that a test moves. */
    public Purger(Purgeable store, Duration interval, int batch, Watcher watcher, Time time) {
        if (interval.isNegative() || interval.isZero() || batch < 1) {
            throw new IllegalArgumentException("A purger needs an interval above zero and a batch of at least one, not "
                    + interval + " and " + batch + ".");
        }
        this.store = store;
        this.interval = interval;
        this.batch = batch;
        this.watcher = watcher;
        this.time = time;
        this.pace = new PurgePace(interval);
    }

    /** Starts the thread; the first look is after one interval. Does nothing while it runs. */
    public synchronized void start() {
        if (round == null) {
            round = new Round();
            Thread thread = new Thread(round, "semel-purge");
            thread.setDaemon(true);
            thread.start();
        }
    }

    public synchronized boolean isRunning() {
        return round != null;
    }

    /** How many records were dropped. */
    public long purged() {
        return purged.get();
    }

    /** How many batches failed. */
    public long failures() {
        return failures.get();
    }

    /** For how long every batch has come back full; zero while it keeps up. */
    public Duration behind() {
        return pace.behind(time.nanos());
    }

    /** Stops after the batch under way, for which it waits a few seconds; it may be started again. */
    @Override
    public void close() {
        Round ending;
        synchronized (this) {
            ending = round;
            round = null;
        }
        if (ending != null) {
            ending.stop();
        }
    }

    /** Hears when purging begins to fail and when it works again, once each. */
    public interface Watcher {

        void failed(Throwable cause);

        void recovered();
    }

    private final class Round implements Runnable {

        private final CompletableFuture<Void> stop = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private boolean failing;

        @Override
        public void run() {
            try {
                Duration pause = interval;
                while (!time.await(stop, pause)) {
                    pause = batch();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.complete(null);
            }
        }

        /** Whatever a store throws, an Error too, the next look may find it well. */
        private Duration batch() {
            long start = time.nanos();
            try {
                int dropped = store.purge(batch);
                purged.addAndGet(dropped);
                if (failing) {
                    failing = false;
                    tell(watcher::recovered);
                }
                long end = time.nanos();
                return dropped < batch ? pace.done(end) : pace.more(start, end);
            } catch (RuntimeException | Error e) {
                failures.incrementAndGet();
                if (!failing && !stop.isDone()) {
                    failing = true;
                    tell(() -> watcher.failed(e));
                }
                return interval;
            }
        }

        private void tell(Runnable news) {
            try {
                news.run();
            } catch (RuntimeException | Error e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }

        /** Without an interrupt, which some databases do not survive. */
        void stop() {
            stop.complete(null);
            try {
                time.await(ended, CLOSING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
