// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks what may block, away from the event loops, and brings the answer back to the loop that wants it. */
final class Workers implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Workers.class.getName());
    private static final int WAITING_PER_THREAD = 64;

    private final Executor executor;
    private final @Nullable ThreadPoolExecutor owned;
    private final int mostWaiting;

    private Workers(Executor executor, @Nullable ThreadPoolExecutor owned, int mostWaiting) {
        this.executor = executor;
        this.owned = owned;
        this.mostWaiting = mostWaiting;
    }

    static Workers pool(int threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "semel-store");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return new Workers(pool, pool, threads * WAITING_PER_THREAD);
    }

    /** For stores that answer from memory: a hop to another thread would take longer than the answer. */
    static Workers direct() {
        return new Workers(Runnable::run, null, Integer.MAX_VALUE);
    }

    /** The answer, or else the failure, is given in the loop; it fails where there is too much to do, or by a fault of ours. */
    <T> void ask(EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        if (owned != null && owned.getQueue().size() >= mostWaiting) {
            failure.accept(new RejectedExecutionException("There are too many questions for the store."));
        } else {
            tell(loop, question, answer, failure);
        }
    }

    /** As {@link #ask}, however much there is to do: what was begun has to be ended. */
    <T> void tell(EventLoop loop, Supplier<T> statement, Consumer<T> answer, Consumer<Throwable> failure) {
        executor.execute(() -> answer(loop, statement, answer, failure));
    }

    private static <T> void answer(
            EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        T found;
        try {
            found = question.get();
        } catch (RuntimeException | Error e) {
            back(loop, () -> failure.accept(e));
            return;
        }
        back(loop, () -> answer.accept(found));
    }

    private static void back(EventLoop loop, Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.WARNING, "The gateway was stopped before a request had its answer.", e);
        }
    }

    @Override
    public void close() {
        if (owned != null) {
            owned.shutdown();
        }
    }
}
