// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import io.semel.Engine;
import io.semel.Listener;
import io.semel.memory.MemoryStore;
import java.util.Optional;
import java.util.stream.Stream;

/** Which of the three attempts the storm hits. */
enum Version {
    BUG("bug", "Naive.java: charges whenever it is asked") {
        @Override
        Payments on(Ledger ledger, Listener listener) {
            return new Naive(ledger);
        }
    },
    HALF_FIX("half-fix", "HalfFixed.java: remembers receipts, but looks before it writes") {
        @Override
        Payments on(Ledger ledger, Listener listener) {
            return new HalfFixed(ledger);
        }
    },
    FIX("fix", "Fixed.java: the Semel engine, on a store in memory") {
        @Override
        Payments on(Ledger ledger, Listener listener) {
            return new Fixed(Engine.on(new MemoryStore()).withListener(listener), ledger);
        }
    };

    private final String option;
    private final String summary;

    Version(String option, String summary) {
        this.option = option;
        this.summary = summary;
    }

    abstract Payments on(Ledger ledger, Listener listener);

    static Optional<Version> of(String option) {
        return Stream.of(values())
                .filter(version -> version.option.equals(option))
                .findFirst();
    }

    String option() {
        return option;
    }

    String summary() {
        return summary;
    }
}
