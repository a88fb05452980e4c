// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import java.util.List;
import java.util.Locale;

/** Prints results as lines, each with its ratio to the first. */
final class Table {

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
    }

    private Table() {}
}
