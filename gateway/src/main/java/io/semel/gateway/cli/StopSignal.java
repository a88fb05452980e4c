// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.cli;

import java.util.concurrent.CountDownLatch;

/** Waits for the signal to stop, and keeps the process until everything is closed in good order. */
final class StopSignal {

    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile Runnable toTell = () -> {};
    private final Thread hook = new Thread(this::hold, "semel-stopping");

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    void await() throws InterruptedException {
        told.await();
    }

    boolean isTold() {
        return told.getCount() == 0;
    }

    /** Runs one task at the signal, beside the thread that awaits it. */
    void whenTold(Runnable task) {
        toTell = task;
        if (isTold()) {
            task.run();
        }
    }

    void done() {
        done.countDown();
    }

    private void hold() {
        told.countDown();
        toTell.run();
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
