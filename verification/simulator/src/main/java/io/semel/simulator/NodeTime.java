// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import io.semel.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** {@link Time} as one node sees it: its clock starts anywhere, runs at a rate of its own and may leap. */
final class NodeTime implements Time {

    private final World world;
    private final Node node;
    private final long origin;
    private final long bornAt;
    private final double rate;
    private final Deque<Runnable> due = new ArrayDeque<>();
    private long leapt;
    private @Nullable Task lane;

    NodeTime(World world, Node node, long origin, double rate) {
        this.world = world;
        this.node = node;
        this.origin = origin;
        this.bornAt = world.now();
        this.rate = rate;
    }

    @Override
    public long nanos() {
        return origin + (long) ((world.now() - bornAt) * rate) + leapt;
    }

    boolean isSteady() {
        return rate == 1;
    }

    void leap(Duration span) {
        leapt += span.toNanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        interruptPerhaps();
        world.sleep(real(duration));
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration atMost) throws InterruptedException {
        interruptPerhaps();
        if (!future.isDone()) {
            Task self = world.scheduler().current();
            Object ticket = new Object();
            CompletableFuture<?> unused =
                    future.whenComplete((value, failure) -> world.scheduler().wake(self, ticket));
            world.wakeAfter(real(atMost).toNanos(), self, ticket);
            world.scheduler().await(ticket);
        }
        return future.isDone();
    }

    /** One thread for all that is scheduled, as in a real process. */
    @Override
    public void schedule(Duration delay, Runnable task) {
        world.after(real(delay), () -> add(task));
    }

    /** A thread for each, which starves with the node; an interrupt ends a call that hangs and heeds it. */
    @Override
    public Runnable execute(Runnable task) {
        AtomicBoolean cancelled = new AtomicBoolean();
        Task thread = world.scheduler().spawn("renewal", node, () -> {
            node.check();
            sleepWhileStarved();
            if (!cancelled.get()) {
                task.run();
            }
        });
        return () -> {
            cancelled.set(true);
            world.scheduler().interrupt(thread);
        };
    }

    @Override
    public double jitter() {
        return world.chance().fraction();
    }

    private void interruptPerhaps() throws InterruptedException {
        if (Thread.interrupted() || world.faults().strikes(Fault.INTERRUPT)) {
            throw new InterruptedException();
        }
    }

    private void add(Runnable task) {
        if (node.isDead()) {
            return;
        }
        due.add(task);
        Task running = lane;
        if (running == null) {
            lane = world.scheduler().spawn("heartbeat", node, this::runLane);
        } else {
            world.scheduler().wake(running, this);
        }
    }

    private void runLane() {
        node.check();
        while (true) {
            Runnable next = due.poll();
            if (next == null) {
                world.scheduler().await(this);
            } else {
                sleepWhileStarved();
                next.run();
            }
        }
    }

    private void sleepWhileStarved() {
        while (node.starvedUntil() > world.now()) {
            world.sleep(Duration.ofNanos(node.starvedUntil() - world.now()));
        }
    }

    /** Rounded up, because nothing scheduled runs before its time. */
    private Duration real(Duration shown) {
        return rate == 1 ? shown : Duration.ofNanos((long) (shown.toNanos() / rate) + 2);
    }
}
