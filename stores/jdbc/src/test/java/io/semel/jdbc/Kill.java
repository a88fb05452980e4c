// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** {@code kill -9}. */
final class Kill {

    /** All of a server's processes, and returns when none of them runs and the server's own is not even listed any more. */
    static void withChildren(long process) {
        ProcessHandle server = ProcessHandle.of(process).orElseThrow();
        List<ProcessHandle> children = server.descendants().toList();
        server.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        while (server.isAlive() || children.stream().anyMatch(Kill::runs)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Orphans stay listed as zombies until somebody asks about them, which can take seconds, and the JDK waits for that. */
    private static boolean runs(ProcessHandle process) {
        try {
            String line = Files.readString(Path.of("/proc", "" + process.pid(), "stat"));
            return line.charAt(line.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException gone) {
            return false;
        }
    }

    private Kill() {}
}
