// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How the tests of each law ended for one store. */
final class Tally {

    private final Map<StoreLaw, int[]> counts = new EnumMap<>(StoreLaw.class);
    private String store = "";
    private boolean durable;

    void of(String description, boolean promisesDurability) {
        store = description;
        durable = promisesDurability;
    }

    boolean isOfNothing() {
        return store.isEmpty();
    }

    void passed(StoreLaw law) {
        count(law)[0]++;
    }

    void failed(StoreLaw law) {
        count(law)[1]++;
    }

    private int[] count(StoreLaw law) {
        return counts.computeIfAbsent(law, unused -> new int[2]);
    }

    /** A line for every law, also for those that were not put to the test. */
    String report(String title) {
        StringBuilder report = new StringBuilder(title + " (" + store + ")\n");
        report.append("law  passed  failed\n");
        for (StoreLaw law : StoreLaw.values()) {
            int[] count = count(law);
            report.append(String.format(
                    Locale.ROOT, "%-4s %6d  %6d  %s%s%n", law, count[0], count[1], untested(law), law.text()));
        }
        return report.toString();
    }

    private String untested(StoreLaw law) {
        if (count(law)[0] + count(law)[1] > 0) {
            return "";
        }
        return law == StoreLaw.S11 && !durable ? "not promised: " : "NOT PUT TO THE TEST: ";
    }
}
