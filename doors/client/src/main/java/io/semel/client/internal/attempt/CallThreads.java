// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.attempt;

import io.semel.client.Transport;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads on which calls go on after a pause: not the thread that keeps time, since callers may block in what they chain to a result. */
public final class CallThreads {

    /** Not the common pool, which has a single thread on a machine of two cores. */
    private static final Executor OWN =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "semel-client");
                thread.setDaemon(true);
                return thread;
            });

    public static void execute(Transport transport, Runnable task) {
        try {
            transport.executor().orElse(OWN).execute(task);
        } catch (RejectedExecutionException e) {
            // Its owner has shut it down; the call has to come to an end all the same.
            OWN.execute(task);
        }
    }

    private CallThreads() {}
}
