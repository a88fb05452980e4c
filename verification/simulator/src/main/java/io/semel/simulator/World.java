// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a simulation: its seed decides everything in it. Time is virtual and passes only while every task waits;
 * tasks take turns at the points where they step, sleep or wait, and nowhere else.
 */
public final class World {

    private final long seed;
    private final Chance chance;
    private final Trace trace = new Trace();
    private final Tally tally = new Tally();
    private final Scheduler scheduler;
    private final StoreClock storeClock;
    private final Faults faults;
    private @Nullable Violation violation;

    World(long seed, Threads threads) {
        this.seed = seed;
        this.chance = new Chance(seed);
        this.scheduler = new Scheduler(this, chance, threads);
        this.storeClock = new StoreClock(this);
        this.faults = new Faults(this);
    }

    void play(Simulation simulation) throws InterruptedException {
        scheduler.play(() -> simulation.play(this));
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    public long seed() {
        return seed;
    }

    public Chance chance() {
        return chance;
    }

    public Trace trace() {
        return trace;
    }

    public Tally tally() {
        return tally;
    }

    /** The clock of the store, which faults may make jump. */
    public StoreClock storeClock() {
        return storeClock;
    }

    /** What can go wrong in this run; nothing, until odds are given. */
    public Faults faults() {
        return faults;
    }

    /** Nanoseconds of virtual time since the run began. */
    public long now() {
        return scheduler.now();
    }

    public void tell(String line) {
        Task task = scheduler.currentOrNull();
        trace.add(now(), task == null ? "world" : task.toString(), line);
    }

    /** Ends the run, which has failed; only the first violation counts. */
    public void violated(Enum<?> rule, String story) {
        if (!scheduler.isOver()) {
            tell("VIOLATION of " + rule + ": " + story);
            violation = new Violation(rule, story);
            scheduler.end();
        }
    }

    /** The task whose turn it is; to be asked by tasks only. */
    public Task me() {
        return scheduler.current();
    }

    /** The task whose turn it is; null where something happens between two turns. */
    public @Nullable Task whoseTurn() {
        return scheduler.currentOrNull();
    }

    public Task spawn(String name, Runnable body) {
        return scheduler.spawn(name, null, body);
    }

    /** Lets other tasks go first, or not. */
    public void step() {
        scheduler.step();
    }

    public void sleep(Duration span) {
        Object ticket = new Object();
        wakeAfter(span.toNanos(), scheduler.current(), ticket);
        scheduler.await(ticket);
    }

    /** Waits until all of them are done. */
    public void join(List<Task> tasks) {
        Task self = scheduler.current();
        for (Task task : tasks) {
            Object ticket = new Object();
            if (!task.done) {
                task.whenDone.add(() -> scheduler.wake(self, ticket));
                scheduler.await(ticket);
            }
        }
    }

    /** Does something later, between two turns; it must not wait. */
    public void after(Duration span, Runnable action) {
        scheduler.after(span.toNanos(), action);
    }

    void wakeAfter(long nanos, Task task, Object ticket) {
        scheduler.after(nanos, () -> scheduler.wake(task, ticket));
    }
}
