// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.util.Map;
import java.util.TreeMap;

/** How often what occurred, over one run or many: a simulator that never crashes anything would show it here. */
public final class Tally {

    private final Map<String, Count> counts = new TreeMap<>();

    /** How often something occurred, and in how many runs. */
    public record Count(long times, long runs) {

        private Count plus(Count other) {
            return new Count(times + other.times, runs + other.runs);
        }
    }

    public void count(String what) {
        counts.merge(what, new Count(1, 1), (old, one) -> new Count(old.times + 1, 1));
    }

    synchronized void add(Tally run) {
        run.counts.forEach((what, count) -> counts.merge(what, count, Count::plus));
    }

    public synchronized Count of(String what) {
        return counts.getOrDefault(what, new Count(0, 0));
    }

    /** One line each, in the order of the names. */
    @Override
    public synchronized String toString() {
        StringBuilder table = new StringBuilder();
        counts.forEach((what, count) -> table.append("  ")
                .append(what)
                .append(" ".repeat(Math.max(1, 34 - what.length())))
                .append(count.times)
                .append(" times in ")
                .append(count.runs)
                .append(" runs\n"));
        return table.toString();
    }
}
