// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.EventLoop;
import io.semel.http.Admission.Reading;
import io.semel.http.Answer;
import io.semel.http.Problem;
import io.semel.http.RequestDecision;
import io.semel.http.RequestDecision.Run.Completing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs calls that may block, such as calls of the store, outside the event loops, and returns their results to the calling loop. */
public final class StoreExecutor implements AutoCloseable {

    private static final int WAITING_PER_THREAD = 64;

    /** For batches and for the ends of attempts, which nothing else may delay. */
    private final Executor executor;
    /** For single calls, which may wait for a URL that is asked about a caller or a silent service. */
    private final Executor asking;

    private final List<ThreadPoolExecutor> owned;
    private final int mostWaiting;
    private final StoreBatcher<Reading, RequestDecision> entries;
    private final StoreBatcher<Completing, Optional<Problem>> endings;

    private StoreExecutor(
            Executor executor, Executor asking, List<ThreadPoolExecutor> owned, int mostWaiting, long mostBytes) {
        this.executor = executor;
        this.asking = asking;
        this.owned = owned;
        this.mostWaiting = mostWaiting;
        this.entries = new StoreBatcher<>(executor, readings -> Reading.enterAll(readings, asking), mostBytes);
        this.endings = new StoreBatcher<>(executor, answers -> RequestDecision.Run.completeAll(answers, executor));
    }

    /**
     * An executor with threads of its own.
     *
     * @param mostBytes of stored responses that may be on their way at a time
     */
    public static StoreExecutor pool(int threads, long mostBytes) {
        ThreadPoolExecutor telling = pool("semel-store", threads);
        ThreadPoolExecutor asking = pool("semel-asking", threads);
        return new StoreExecutor(telling, asking, List.of(telling, asking), threads * WAITING_PER_THREAD, mostBytes);
    }

    private static ThreadPoolExecutor pool(String name, int threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** For stores in memory: another thread would take longer than the call. */
    public static StoreExecutor direct() {
        return new StoreExecutor(Runnable::run, Runnable::run, List.of(), Integer.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Claims the key of a request, in a batch with others; fails under overload.
     *
     * @param mostAnswer bytes of a response that is stored for it
     */
    void enter(
            EventLoop loop,
            Reading reading,
            long mostAnswer,
            Consumer<RequestDecision> entered,
            Consumer<Throwable> failure) {
        if (owned.isEmpty()) {
            answer(loop, reading::enter, entered, failure);
        } else if (isOverloaded()) {
            refuse(failure);
        } else {
            entries.ask(loop, reading, mostAnswer, entered, failure);
        }
    }

    /** Records an answer, in a batch with others, even under overload: an attempt that was begun has to end. */
    void complete(
            EventLoop loop,
            RequestDecision.Run run,
            Answer answer,
            Consumer<Optional<Problem>> told,
            Consumer<Throwable> failure) {
        if (owned.isEmpty()) {
            answer(loop, () -> run.complete(answer), told, failure);
        } else {
            endings.ask(loop, new Completing(run, answer), told, failure);
        }
    }

    /** Runs a call whose result, or failure, arrives in the loop; fails under overload. */
    <T> void ask(EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        if (isOverloaded()) {
            refuse(failure);
        } else {
            execute(asking, loop, question, answer, failure);
        }
    }

    private boolean isOverloaded() {
        int waiting = entries.waiting() + endings.waiting();
        return owned.stream().mapToInt(each -> each.getQueue().size()).sum() + waiting >= mostWaiting;
    }

    private static void refuse(Consumer<Throwable> failure) {
        failure.accept(new RejectedExecutionException("Too many calls are waiting for the store."));
    }

    /** As {@link #ask}, even under overload: an attempt that was begun has to end. */
    <T> void tell(EventLoop loop, Supplier<T> statement, Consumer<T> answer, Consumer<Throwable> failure) {
        execute(executor, loop, statement, answer, failure);
    }

    private static <T> void execute(
            Executor executor, EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        try {
            executor.execute(() -> answer(loop, question, answer, failure));
        } catch (RuntimeException | Error e) {
            back(loop, () -> StoreBatcher.fail(failure, e));
        }
    }

    private static <T> void answer(
            EventLoop loop, Supplier<T> question, Consumer<T> answer, Consumer<Throwable> failure) {
        T found;
        try {
            found = question.get();
        } catch (RuntimeException | Error e) {
            back(loop, () -> StoreBatcher.fail(failure, e));
            return;
        }
        back(loop, () -> StoreBatcher.deliver(answer, found, failure));
    }

    private static void back(EventLoop loop, Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            StoreBatcher.back(loop, task);
        }
    }

    @Override
    public void close() {
        owned.forEach(ThreadPoolExecutor::shutdown);
    }
}
