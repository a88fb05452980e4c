// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints results as lines, each with its ratio to the first; with {@code -Dplot=FILE} also as a picture, an SVG. */
final class Table {

    private static final @Nullable String FILE = System.getProperty("plot");
    private static final Plot PLOT = new Plot();

    static void print(String title, int threads, List<Result> results) {
        System.out.printf(Locale.ROOT, "%n%s, %d threads%n", title, threads);
        Result first = results.get(0);
        for (Result each : results) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-52s %,10.0f/s   %5.2f   p99 %8.2f ms%n",
                    each.name(),
                    each.perSecond(),
                    each.perSecond() / first.perSecond(),
                    each.p99Millis());
        }
        if (FILE != null) {
            PLOT.add(title, threads, results);
            draw(Path.of(FILE));
        }
    }

    /** Again after every table, so that a run that is ended early leaves what it had. */
    private static void draw(Path file) {
        try {
            PLOT.write(file);
        } catch (IOException e) {
            throw new UncheckedIOException("The picture could not be written to " + file + ".", e);
        }
    }

    private Table() {}
}
