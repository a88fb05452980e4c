// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process in a world, from its start to its crash: tasks enter it, and it can be paused, starved or killed. */
public final class Node {

    private final World world;
    private final String name;
    private final NodeTime time;
    /** Tasks that could go on, were the node not paused. */
    final List<Task> held = new ArrayList<>();

    private boolean dead;
    private int pauses;
    private long starvedUntil;
    private long troubledUntil = Long.MIN_VALUE;

    /**
     * A node with a clock of its own.
     *
     * @param origin what its monotonic clock shows at first; any number will do
     * @param rate how fast that clock runs; one is right
     */
    public Node(World world, String name, long origin, double rate) {
        this.world = world;
        this.name = name;
        this.time = new NodeTime(world, this, origin, rate);
    }

    /** Whether its clock runs as fast as the store's. */
    boolean isSteady() {
        return time.isSteady();
    }

    public Time time() {
        return time;
    }

    /** Something to do inside of a node. */
    @FunctionalInterface
    public interface Action<T extends @Nullable Object, E extends Exception> {

        T run() throws E;
    }

    /** Does something on this node; throws {@link Crash} if the node dies before it has been done. */
    public <T extends @Nullable Object, E extends Exception> T within(Action<T, E> action) throws E {
        Task task = world.scheduler().current();
        check();
        task.home = this;
        try {
            T result = action.run();
            check();
            return result;
        } finally {
            task.home = null;
        }
    }

    /** Whatever runs here stops at its next step, and can do nothing any more. */
    public void crash() {
        dead = true;
        pauses = 0;
        world.scheduler().wakeAll(this);
    }

    /** Nothing runs here for this long, and then goes on as if nothing had been. */
    public void pause(Duration span) {
        trouble(world.now() + span.toNanos());
        pauses++;
        world.scheduler().pause(this);
        world.after(span, this::unpause);
    }

    private void unpause() {
        if (pauses > 0 && --pauses == 0) {
            world.scheduler().resume(this);
        }
    }

    /** What is scheduled here does not run for this long. */
    public void starve(Duration span) {
        trouble(world.now() + span.toNanos());
        starvedUntil = Math.max(starvedUntil, world.now() + span.toNanos());
    }

    /** Its monotonic clock leaps forward. */
    public void leap(Duration span) {
        time.leap(span);
    }

    void trouble(long until) {
        troubledUntil = Math.max(troubledUntil, until);
    }

    /** Until when, in virtual time, faults have kept this node from its duties: nobody can expect it to keep its leases. */
    public long troubledUntil() {
        return troubledUntil;
    }

    public boolean isDead() {
        return dead;
    }

    boolean isPaused() {
        return pauses > 0;
    }

    long starvedUntil() {
        return starvedUntil;
    }

    void check() {
        if (dead) {
            throw new Crash(name + " is dead");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
