// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import java.util.concurrent.ThreadFactory;

/** Threads that keep no process from ending. */
final class DaemonThreads {

    static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private DaemonThreads() {}
}
