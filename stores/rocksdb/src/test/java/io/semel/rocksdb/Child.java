// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process of our own, spoken to by lines. */
final class Child implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;
    private final Writer told;

    Child(Class<?> main, Path directory) {
        this(main, directory, List.of());
    }

    /** Started by a command that takes another as its arguments, and turns into it. */
    Child(Class<?> main, Path directory, List<String> starter) {
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                directory.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        // Else each that is killed leaves its copy of the library behind among the temporary files.
        builder.environment().put("ROCKSDB_SHAREDLIB_DIR", library().toString());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        said = process.inputReader(StandardCharsets.UTF_8);
        told = process.outputWriter(StandardCharsets.UTF_8);
    }

    private static Path library() {
        try {
            return Files.createDirectories(Path.of("target", "library").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    void tell(String line) {
        try {
            told.write(line + "\n");
            told.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line; fails if there is none any more. */
    String hear() {
        try {
            String line = said.readLine();
            if (line == null) {
                throw new AssertionError("the child has ended, with " + process.waitFor());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String ask(String line) {
        tell(line);
        return hear();
    }

    /** Kills it without a warning, and gives what it had said by then, in whole lines. */
    List<String> kill() {
        // Not by the process itself, which would close what it has said.
        process.toHandle().destroyForcibly();
        List<String> lines = new ArrayList<>();
        try {
            StringBuilder rest = new StringBuilder();
            for (int c = said.read(); c >= 0; c = said.read()) {
                rest.append((char) c);
                if (c == '\n') {
                    lines.add(rest.toString().strip());
                    rest.setLength(0);
                }
            }
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                throw new AssertionError("the child does not die");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return lines;
    }

    @Override
    public void close() {
        kill();
    }
}
