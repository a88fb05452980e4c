// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One number of one session: its effects, and what its client was told. */
final class Numbered {

    final String name;
    final List<String> effects = new ArrayList<>();

    @Nullable
    String answer;

    Numbered(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
