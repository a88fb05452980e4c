// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The header lines of one message. */
final class Fields {

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    void add(String name, String value) {
        names.add(name.toLowerCase(Locale.ROOT));
        values.add(value);
    }

    /** The last value goes on. */
    void extend(String more) {
        int last = values.size() - 1;
        values.set(last, values.get(last) + " " + more.strip());
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    List<String> all(String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** All values of that name as one; empty where there is none. */
    String one(String name) {
        return String.join(", ", all(name));
    }

    boolean has(String name) {
        return names.contains(name);
    }

    boolean lists(String name, String value) {
        for (String each : one(name).split(",", -1)) {
            if (each.strip().equalsIgnoreCase(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return names + " " + values;
    }
}
