// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.channel.EventLoop;
import io.semel.http.Admission.Reading;
import io.semel.http.Answer;
import io.semel.http.Entry;
import io.semel.http.Entry.Run.Completing;
import io.semel.http.Problem;
import java.util.Optional;
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

    private static final int WAITING_PER_THREAD = 64;

    private final Executor executor;
    private final @Nullable ThreadPoolExecutor owned;
    private final int mostWaiting;
    private final Shuttle<Reading, Entry> entries;
    private final Shuttle<Completing, Optional<Problem>> endings;

    private Workers(Executor executor, @Nullable ThreadPoolExecutor owned, int mostWaiting) {
        this.executor = executor;
        this.owned = owned;
        this.mostWaiting = mostWaiting;
        this.entries = new Shuttle<>(executor, readings -> Reading.enterAll(readings, executor));
        this.endings = new Shuttle<>(executor, answers -> Entry.Run.completeAll(answers, executor));
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

    /** Has a request enter, with others where there are some; fails where there is too much to do, or by a fault of ours. */
    void enter(EventLoop loop, Reading reading, Consumer<Entry> entered, Consumer<Throwable> failure) {
        if (owned == null) {
            answer(loop, reading::enter, entered, failure);
        } else if (isOverloaded()) {
            refuse(failure);
        } else {
            entries.ask(loop, reading, entered, failure);
        }
    }

    /** Has an answer recorded, with others where there are some, however much there is to do: what was begun has to be ended. */
    void complete(
            EventLoop loop,
            Entry.Run run,
            Answer answer,
            Consumer<Optional<Problem>> told,
            Consumer<Throwable> failure) {
        if (owned == null) {
            answer(loop, () -> run.complete(answer), told, failure);
        } else {
            endings.ask(loop, new Completing(run, answer), told, failure);
        }
    }

    /** The answer, or else the failure, is given in the loop; it fails where there is too much to do, or by a fault of ours. */
    <T> void ask(EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        if (isOverloaded()) {
            refuse(failure);
        } else {
            tell(loop, question, answer, failure);
        }
    }

    private boolean isOverloaded() {
        return owned != null && owned.getQueue().size() + entries.waiting() + endings.waiting() >= mostWaiting;
    }

    private static void refuse(Consumer<Throwable> failure) {
        failure.accept(new RejectedExecutionException("There are too many questions for the store."));
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
        } else {
            Shuttle.back(loop, task);
        }
    }

    @Override
    public void close() {
        if (owned != null) {
            owned.shutdown();
        }
    }
}
