// SPDX-License-Identifier: Apache-2.0
package io.semel.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The directory of all servers of this JVM, and a process that ends them and deletes it when the JVM is gone.
 *
 * <p>Shutdown hooks do not run in a JVM that is killed, as those of tests are when a build is. The watchdog reads from a pipe
 * that only the JVM holds open, in a session of its own, so that signals to the build's processes do not reach it.
 */
final class Watchdog {

    /** The name of the file in a server's directory that says how the server is ended: a signal and its process. */
    static final String ENDING = "ending";

    private static final String SCRIPT = """
            read -r _
            for ending in "$1"/*/ending; do
              [ -f "$ending" ] || continue
              read -r signal process <"$ending"
              kill -s "$signal" "$process" && kill -s CONT "$process"
            done
            tries=0
            while ! rm -rf "$1" && [ $tries -lt 100 ]; do
              sleep 0.1
              tries=$((tries + 1))
            done
            """;

    private static final Path ROOT = newRoot();

    /** Kept, for with it goes the pipe. */
    private static final Process PROCESS = start();

    private static final AtomicInteger DIRECTORIES = new AtomicInteger();

    private static Path newRoot() {
        try {
            return Files.createTempDirectory("semel-servers");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start() {
        try {
            return new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "watchdog", ROOT.toString())
                    .directory(ROOT.getRoot().toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path newDirectory(String name) {
        if (!PROCESS.isAlive()) {
            throw new IllegalStateException("The watchdog has ended: nobody would end the servers.");
        }
        try {
            return Files.createDirectory(ROOT.resolve(name + "-" + DIRECTORIES.incrementAndGet()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Watchdog() {}
}
