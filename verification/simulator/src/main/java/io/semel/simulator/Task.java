// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Something that runs in a world, on a thread of its own, whenever it is its turn; exactly one task has the turn. */
public final class Task {

    final String name;
    final Runnable body;
    /** It belongs to a node and serves all of it; null if it only visits nodes. */
    private final @Nullable Node master;
    /** Where it runs at the moment; null where no fault can reach it. */
    @Nullable
    Node home;
    /** What it waits for; a wake-up that names an earlier wait is stale. */
    @Nullable
    Object waitsFor;

    /** What an interrupt wakes it from; null where it would not heed one. */
    @Nullable
    Object interruptible;

    private long troubledUntil = Long.MIN_VALUE;
    boolean started;
    boolean done;
    final List<Runnable> whenDone = new ArrayList<>();

    private volatile boolean turn;
    private volatile @Nullable Thread thread;

    Task(String name, @Nullable Node home, Runnable body) {
        this.name = name;
        this.home = home;
        this.master = home;
        this.body = body;
    }

    /** Called by whoever has the turn, to give it to this task. */
    void resume() {
        turn = true;
        LockSupport.unpark(thread);
    }

    /** An interrupted thread does not park, so the interruption is put aside meanwhile. */
    void awaitTurn() {
        boolean interrupted = false;
        while (!turn) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        turn = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until when, in virtual time, faults have kept it from going on. */
    public long troubledUntil() {
        return troubledUntil;
    }

    /** What holds up the one who serves a node holds up the node. */
    void trouble(long until) {
        troubledUntil = Math.max(troubledUntil, until);
        if (master != null) {
            master.trouble(until);
        }
    }

    /** What holds up this task alone: whoever else serves the node goes on. */
    void troubleAlone(long until) {
        troubledUntil = Math.max(troubledUntil, until);
    }

    void attach() {
        thread = Thread.currentThread();
    }

    @Override
    public String toString() {
        return home == null ? name : name + "@" + home;
    }
}
