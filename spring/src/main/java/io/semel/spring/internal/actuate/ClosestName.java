// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.actuate;

import java.util.Comparator;
import java.util.List;

/** The known name that is closest to a misspelled one. */
final class ClosestName {

    private static final int SLIPS = 2;

    /** A question to put behind a refusal; empty where no name is near. */
    static String hint(String given, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(given, name)))
                .filter(name -> distance(given, name) <= Math.max(SLIPS, name.length() / 3))
                .map(name -> " Did you mean '" + name + "'?")
                .orElse("");
    }

    /** How many characters have to be changed, added or taken away. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }

    private ClosestName() {}
}
