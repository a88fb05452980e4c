// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.storm;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;

/** The third attempt: the engine charges once, and gives every retry the first receipt. */
final class Fixed implements Payments {

    private final Engine engine;
    private final Ledger ledger;

    Fixed(Engine engine, Ledger ledger) {
        this.engine = engine;
        this.ledger = ledger;
    }

    @Override
    public String pay(String order, long cents) {
        Call call = Call.of(Key.of("payments", order), Fingerprint.of(order, Long.toString(cents)));
        return engine.run(call, Codec.utf8(), attempt -> ledger.charge(order, cents))
                .orThrow();
    }
}
