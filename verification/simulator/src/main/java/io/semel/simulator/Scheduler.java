// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the turn from task to task, by chance, and moves virtual time on when nobody is ready. There is no thread of its
 * own: whoever gives up the turn chooses the next, and goes on at once if that is itself.
 */
final class Scheduler {

    private static final int MOST_STEPS = 100_000;
    /** Of real time; a run takes milliseconds. */
    private static final Duration LONGEST_RUN = Duration.ofMinutes(1);

    private final World world;
    private final Chance chance;
    private final Threads threads;
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private final List<Task> tasks = new ArrayList<>();
    private final List<Task> ready = new ArrayList<>();
    private final CountDownLatch allDone = new CountDownLatch(1);
    private @Nullable Task current;
    private long now;
    private long numbers;
    private int steps;
    private boolean over;

    private record Timer(long at, long number, Runnable action) {}

    Scheduler(World world, Chance chance, Threads threads) {
        this.world = world;
        this.chance = chance;
        this.threads = threads;
    }

    /** Plays from the root task's start to its end, and then ends whatever still runs. */
    void play(Runnable body) throws InterruptedException {
        Task root = spawn("root", null, body);
        root.whenDone.add(this::end);
        giveTurn(next());
        if (!allDone.await(LONGEST_RUN.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("A task does not give up its turn: " + current);
        }
    }

    long now() {
        return now;
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
        world.trace().close();
    }

    Task current() {
        return Objects.requireNonNull(current, "only tasks may ask");
    }

    @Nullable
    Task currentOrNull() {
        return current;
    }

    Task spawn(String name, @Nullable Node home, Runnable body) {
        Task task = new Task(name, home, body);
        tasks.add(task);
        makeReady(task);
        return task;
    }

    /** The action runs between two turns, so it must not wait. */
    void after(long nanos, Runnable action) {
        timers.add(new Timer(now + Math.max(0, nanos), numbers++, action));
    }

    /** Lets others go first, or not. */
    void step() {
        Task self = current();
        makeReady(self);
        pass(self);
    }

    /** Gives up the turn until somebody wakes this task with the ticket. */
    void await(Object ticket) {
        Task self = current();
        self.waitsFor = ticket;
        pass(self);
    }

    void wake(Task task, Object ticket) {
        if (task.waitsFor == ticket) {
            task.waitsFor = null;
            makeReady(task);
        }
    }

    /** Wakes a task out of a wait that heeds interrupts. */
    void interrupt(Task task) {
        Object ticket = task.interruptible;
        if (ticket != null) {
            wake(task, ticket);
        }
    }

    void pause(Node node) {
        ready.stream().filter(task -> task.home == node).forEach(node.held::add);
        ready.removeIf(task -> task.home == node);
    }

    void resume(Node node) {
        ready.addAll(node.held);
        node.held.clear();
    }

    /** Whoever waits on the node goes on, to find it dead. */
    void wakeAll(Node node) {
        resume(node);
        for (Task task : tasks) {
            if (task.home == node && task.waitsFor != null) {
                wake(task, task.waitsFor);
            }
        }
    }

    private void makeReady(Task task) {
        Node home = task.home;
        if (home != null && home.isPaused()) {
            home.held.add(task);
        } else {
            ready.add(task);
        }
    }

    private void pass(Task self) {
        if (!over) {
            Task next = next();
            if (next != self) {
                giveTurn(next);
                self.awaitTurn();
                current = self;
            }
        }
        if (over) {
            throw new Over();
        }
        Node home = self.home;
        if (home != null) {
            home.check();
        }
    }

    private void giveTurn(@Nullable Task next) {
        if (next == null) {
            allDone.countDown();
        } else if (next.started) {
            next.resume();
        } else {
            next.started = true;
            threads.run(() -> begin(next));
        }
    }

    private void begin(Task task) {
        task.attach();
        current = task;
        try {
            task.body.run();
        } catch (Crash ended) {
            world.tell("ends: " + ended.getMessage());
        } catch (Throwable unexpected) {
            world.violated(Liveness.NO_SURPRISE, task + " threw " + Stories.of(unexpected));
        }
        finish(task);
    }

    private void finish(Task task) {
        task.done = true;
        tasks.remove(task);
        task.whenDone.forEach(Runnable::run);
        current = null;
        giveTurn(next());
    }

    private @Nullable Task next() {
        if (!over && ++steps > MOST_STEPS) {
            world.violated(Liveness.NO_ENDLESS_LOOP, "after " + MOST_STEPS + " steps these still run: " + tasks);
        }
        while (!over && ready.isEmpty()) {
            passTime();
        }
        return over ? nextToEnd() : takeOne();
    }

    private Task takeOne() {
        int index = chance.below(ready.size());
        Task last = ready.remove(ready.size() - 1);
        return index == ready.size() ? last : ready.set(index, last);
    }

    private void passTime() {
        Timer first = timers.poll();
        if (first == null) {
            world.violated(Liveness.NO_DEADLOCK, "nobody can go on, and nothing is to come; these wait: " + tasks);
            return;
        }
        Task giver = current;
        current = null;
        now = first.at;
        first.action.run();
        for (Timer also = timers.peek(); also != null && also.at == now; also = timers.peek()) {
            timers.remove();
            also.action.run();
        }
        current = giver;
    }

    /** Tasks that have not begun need not be ended. */
    private @Nullable Task nextToEnd() {
        tasks.removeIf(task -> !task.started);
        return tasks.isEmpty() ? null : tasks.get(0);
    }
}
