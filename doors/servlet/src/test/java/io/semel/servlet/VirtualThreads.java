// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Lets Jetty run handlers on virtual threads where the JDK has them. */
final class VirtualThreads {

    static final boolean THERE = Runtime.version().feature() >= 21;

    static void use(QueuedThreadPool threads) throws ReflectiveOperationException {
        if (THERE) {
            threads.setVirtualThreadsExecutor((Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            return THERE && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private VirtualThreads() {}
}
