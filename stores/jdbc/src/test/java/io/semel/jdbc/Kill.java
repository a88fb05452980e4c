// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.util.List;
import java.util.stream.Stream;

/** {@code kill -9}. */
final class Kill {

    /** All of a server's processes, and returns when they are gone. */
    static void withChildren(long process) {
        ProcessHandle server = ProcessHandle.of(process).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(Stream.of(server), server.descendants()).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }

    private Kill() {}
}
