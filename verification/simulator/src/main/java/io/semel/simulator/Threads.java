// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Threads that are kept from run to run, because starting one takes longer than playing its part. */
final class Threads implements AutoCloseable {

    private final Deque<Worker> idle = new ArrayDeque<>();
    private volatile boolean closed;

    void run(Runnable job) {
        Worker worker = idle();
        worker.job = job;
        LockSupport.unpark(worker);
    }

    private synchronized Worker idle() {
        Worker worker = idle.poll();
        if (worker == null) {
            worker = new Worker();
            worker.start();
        }
        return worker;
    }

    private synchronized void giveBack(Worker worker) {
        idle.push(worker);
    }

    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(LockSupport::unpark);
    }

    private final class Worker extends Thread {

        private volatile @Nullable Runnable job;

        private Worker() {
            super("semel-sim");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!closed) {
                Runnable next = job;
                if (next == null) {
                    LockSupport.park(this);
                    continue;
                }
                job = null;
                next.run();
                // Whatever was simulated may have left the thread interrupted.
                Thread.interrupted();
                giveBack(this);
            }
        }
    }
}
