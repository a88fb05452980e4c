// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.netty.channel.EventLoop;
import io.semel.gateway.log.ThrottledLog;
import io.semel.gateway.net.OutOfMemory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Batches calls of event loops to the store: calls that arrive while a batch is under way form the next one. */
final class StoreBatcher<Q, A> {

    private static final ThrottledLog LOG = new ThrottledLog(StoreBatcher.class);
    private static final int MOST = 256;

    private final Executor executor;
    private final Function<List<Q>, List<CompletableFuture<A>>> trip;
    private final Queue<Passenger<Q, A>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean away = new AtomicBoolean();
    private final long mostWeight;
    /** Of what is asked now, and of answers that have not arrived in their loops. */
    private final AtomicLong weight = new AtomicLong();

    StoreBatcher(Executor executor, Function<List<Q>, List<CompletableFuture<A>>> trip) {
        this(executor, trip, Long.MAX_VALUE);
    }

    /** @param mostWeight that answers may have together on their way; one may be heavier, and travels alone */
    StoreBatcher(Executor executor, Function<List<Q>, List<CompletableFuture<A>>> trip, long mostWeight) {
        this.executor = executor;
        this.trip = trip;
        this.mostWeight = mostWeight;
    }

    int waiting() {
        return waiting.get();
    }

    /** Adds a call; its result, or failure, arrives in the loop. */
    void ask(EventLoop loop, Q question, Consumer<A> answer, Consumer<Throwable> failure) {
        ask(loop, question, 0, answer, failure);
    }

    /** @param most that the answer can weigh */
    void ask(EventLoop loop, Q question, long most, Consumer<A> answer, Consumer<Throwable> failure) {
        queue.add(new Passenger<>(loop, question, most, answer, failure));
        waiting.incrementAndGet();
        leaveIfHere();
    }

    private void leaveIfHere() {
        if (away.compareAndSet(false, true)) {
            try {
                executor.execute(this::leave);
            } catch (RuntimeException | Error e) {
                strand(e);
            }
        }
    }

    /** No thread can run the batch: the waiting calls fail, and the next call tries again. */
    private void strand(Throwable cause) {
        away.set(false);
        for (List<Passenger<Q, A>> load = board(true); !load.isEmpty(); load = board(true)) {
            load.forEach(each -> back(each.loop, () -> fail(each, cause)));
        }
    }

    private void leave() {
        try {
            leaveUntilNobodyWaits();
        } catch (RuntimeException | Error e) {
            strand(e);
        }
    }

    private void leaveUntilNobodyWaits() {
        do {
            List<Passenger<Q, A>> load = board(false);
            while (!load.isEmpty()) {
                travel(load);
                load = board(false);
            }
            away.set(false);
            // A call may have arrived since, or made room, while the batch was still marked as running.
        } while (fits(queue.peek()) && away.compareAndSet(false, true));
    }

    private boolean fits(@Nullable Passenger<Q, A> next) {
        long others = weight.get();
        return next != null && (others == 0 || others + next.most <= mostWeight);
    }

    private List<Passenger<Q, A>> board(boolean all) {
        List<Passenger<Q, A>> load = new ArrayList<>();
        Passenger<Q, A> next = queue.peek();
        while (next != null && load.size() < MOST && (all || fits(next))) {
            queue.remove();
            weight.addAndGet(next.most);
            load.add(next);
            next = queue.peek();
        }
        waiting.addAndGet(-load.size());
        return load;
    }

    /** Its answer is with whoever asked, or is not to be waited for. */
    private void unload(Passenger<Q, A> one) {
        if (one.most > 0 && !one.unloaded) {
            one.unloaded = true;
            weight.addAndGet(-one.most);
            if (!queue.isEmpty()) {
                leaveIfHere();
            }
        }
    }

    private void arrive(Passenger<Q, A> one, CompletableFuture<A> answer) {
        try {
            one.arrive(answer);
        } finally {
            unload(one);
        }
    }

    private void fail(Passenger<Q, A> one, Throwable cause) {
        try {
            one.fail(cause);
        } finally {
            unload(one);
        }
    }

    private void travel(List<Passenger<Q, A>> load) {
        try {
            List<CompletableFuture<A>> answers =
                    trip.apply(load.stream().map(each -> each.question).toList());
            if (answers.size() != load.size()) {
                throw new IllegalStateException(load.size() + " questions had " + answers.size() + " answers.");
            }
            bringBack(load, answers);
        } catch (RuntimeException | Error e) {
            load.forEach(each -> back(each.loop, () -> fail(each, e)));
        }
    }

    private void bringBack(List<Passenger<Q, A>> load, List<CompletableFuture<A>> answers) {
        IdentityHashMap<EventLoop, List<Runnable>> byLoop = new IdentityHashMap<>();
        for (int i = 0; i < load.size(); i++) {
            Passenger<Q, A> each = load.get(i);
            CompletableFuture<A> answer = answers.get(i);
            if (answer.isDone()) {
                byLoop.computeIfAbsent(each.loop, loop -> new ArrayList<>()).add(() -> arrive(each, answer));
            } else {
                // It may take long, and others are not to wait for it.
                unload(each);
                answer.whenComplete((value, failure) -> back(each.loop, () -> each.arrive(answer)));
            }
        }
        byLoop.forEach((loop, arrivals) -> back(loop, () -> arrivals.forEach(Runnable::run)));
    }

    static void back(EventLoop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.warn("The gateway was stopped before a request was answered.", e);
        }
    }

    /** Delivers a result; if its receiver throws, it gets that as a failure. */
    static <A> void deliver(Consumer<A> answer, A value, Consumer<Throwable> failure) {
        try {
            answer.accept(value);
        } catch (RuntimeException | Error e) {
            fail(failure, e);
        }
    }

    static void fail(Consumer<Throwable> failure, Throwable cause) {
        OutOfMemory.check(cause);
        try {
            failure.accept(cause);
        } catch (RuntimeException | Error e) {
            OutOfMemory.check(e);
            e.addSuppressed(cause);
            LOG.warn("The failure of a request could not be reported.", e);
        }
    }

    /** One call; its result or failure arrives once, in its loop. */
    private static final class Passenger<Q, A> {

        private final EventLoop loop;
        private final Q question;
        private final Consumer<A> answer;
        private final Consumer<Throwable> failure;
        private final long most;
        private boolean told;
        private volatile boolean unloaded;

        Passenger(EventLoop loop, Q question, long most, Consumer<A> answer, Consumer<Throwable> failure) {
            this.loop = loop;
            this.question = question;
            this.most = most;
            this.answer = answer;
            this.failure = failure;
        }

        void arrive(CompletableFuture<A> arrived) {
            arrived.whenComplete((value, thrown) -> {
                if (thrown != null) {
                    fail(thrown);
                } else if (!told) {
                    told = true;
                    deliver(answer, value, failure);
                }
            });
        }

        void fail(Throwable cause) {
            if (!told) {
                told = true;
                StoreBatcher.fail(failure, cause);
            }
        }
    }
}
