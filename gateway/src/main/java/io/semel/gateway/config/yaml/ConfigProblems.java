// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All errors of the settings, reported together. */
public final class ConfigProblems {

    private final List<ConfigError> found = new ArrayList<>();

    /** Once, however often the field is read. */
    public void add(ConfigError problem) {
        String message = String.valueOf(problem.getMessage());
        if (found.stream().noneMatch(each -> message.equals(each.getMessage()))) {
            found.add(problem);
        }
    }

    /** The value that it reads, or the other one after an error, which is collected. */
    public <T> T attempt(Supplier<T> reading, T otherwise) {
        try {
            return reading.get();
        } catch (ConfigError e) {
            add(e);
            return otherwise;
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public void throwIfAny() {
        if (found.size() == 1) {
            throw found.get(0);
        }
        if (!found.isEmpty()) {
            StringBuilder all = new StringBuilder(found.size() + " settings are invalid:");
            found.forEach(each -> all.append("\n  ").append(each.getMessage()));
            ConfigError error = new ConfigError(all.toString());
            found.forEach(error::addSuppressed);
            throw error;
        }
    }
}
