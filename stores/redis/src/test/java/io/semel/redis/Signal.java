// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** {@code kill}, of processes that a test has started. */
final class Signal {

    static void send(String name, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.forEach(each -> command.add("" + each.pid()));
        try {
            int status = new ProcessBuilder(command).start().waitFor();
            if (status != 0) {
                throw new IllegalStateException(command + " ended with " + status + ".");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Signal() {}
}
