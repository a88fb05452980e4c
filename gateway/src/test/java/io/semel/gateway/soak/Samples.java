// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.soak;

import io.semel.gateway.RunningProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a process holds, as the system counts it, again and again. */
final class Samples {

    record Sample(
            long process, double rate, long residentKilobytes, long threads, long descriptors, long diskKilobytes) {}

    private final List<Sample> all = new ArrayList<>();
    private Path file = Path.of("/dev/null");
    private long counted;
    private long before = System.nanoTime();

    void writeTo(Path csv) throws IOException {
        file = csv;
        Files.writeString(file, "payments a second,megabytes resident,threads,descriptors,megabytes on disk\n");
    }

    void take(RunningProgram running, Path store, long answered) throws IOException {
        long now = System.nanoTime();
        double rate = (answered - counted) * 1e9 / (now - before);
        counted = answered;
        before = now;
        Path proc = Path.of("/proc", Long.toString(running.process.pid()));
        try {
            Sample sample = new Sample(
                    running.process.pid(),
                    rate,
                    status(proc, "VmRSS"),
                    status(proc, "Threads"),
                    files(proc.resolve("fd")),
                    kilobytes(store));
            all.add(sample);
            write(sample);
        } catch (NoSuchFileException | UncheckedIOException e) {
            // It has just been killed: the next one will be counted.
        }
    }

    List<Sample> all() {
        return List.copyOf(all);
    }

    private void write(Sample sample) throws IOException {
        Files.writeString(
                file,
                String.format(
                        Locale.ROOT,
                        "%.1f,%.1f,%d,%d,%.1f%n",
                        sample.rate,
                        sample.residentKilobytes / 1024.0,
                        sample.threads,
                        sample.descriptors,
                        sample.diskKilobytes / 1024.0),
                StandardOpenOption.APPEND);
    }

    private static long status(Path proc, String name) throws IOException {
        return Files.readAllLines(proc.resolve("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    private static long kilobytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(each -> each.toFile().length()).sum() >> 10;
        }
    }
}
