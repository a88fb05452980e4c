// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

import java.util.Comparator;
import java.util.List;

/** Suggests the known name that was probably meant. */
final class NameSuggestion {

    static String hint(String given, List<String> known) {
        String nearest = known.stream()
                .min(Comparator.comparingInt(name -> distance(given, name)))
                .orElse("");
        boolean near = distance(given, nearest) <= Math.max(2, nearest.length() / 3);
        return near ? "Did you mean '" + nearest + "'?" : "Known are: " + String.join(", ", known) + ".";
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

    private NameSuggestion() {}
}
