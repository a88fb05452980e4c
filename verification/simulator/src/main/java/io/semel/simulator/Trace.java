// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import java.util.ArrayList;
import java.util.List;

/** What happened in a run, line by line; two runs of one seed have equal traces. */
public final class Trace {

    private final List<String> lines = new ArrayList<>();
    private boolean closed;

    void add(long nanos, String who, String line) {
        if (!closed) {
            lines.add(seconds(nanos) + "  " + who + "  " + line);
        }
    }

    /** What tasks do while they are being ended is no part of the run. */
    void close() {
        closed = true;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    public List<String> last(int count) {
        return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    private static String seconds(long nanos) {
        String digits = Long.toString(nanos);
        String padded = digits.length() > 9 ? digits : "0".repeat(10 - digits.length()) + digits;
        int point = padded.length() - 9;
        return padded.substring(0, point) + "." + padded.substring(point);
    }
}
