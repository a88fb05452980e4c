// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Numbered calls to one store, with the same answer each, of which the first so many are settled to be replayed. */
record Calls(Store store, byte[] answer, int settled) {

    static final Duration LEASE = Duration.ofSeconds(30);

    private static final Fingerprint PRINT = Fingerprint.of("POST", "/payments", "{\"amount\":500}");

    static Call call(long number) {
        return Call.of(Key.of("payments/tenant-7", "order-" + number), PRINT);
    }

    static String holder(long number) {
        return "a-holder-of-usual-" + number;
    }

    Settlement.Complete done() {
        return new Settlement.Complete(answer, Retention.DEFAULT);
    }

    void pair(long number) {
        Call call = call(number);
        Claim.Granted granted = (Claim.Granted) store.claim(call, holder(number), LEASE);
        if (!store.settle(call.key(), holder(number), granted.fence(), done())) {
            throw new IllegalStateException("A settle did not apply.");
        }
    }

    void replay() {
        Claim claim = store.claim(anySettled(), "a-holder-that-comes-late", LEASE);
        if (!(claim instanceof Claim.Settled told) || told.result() == null) {
            throw new IllegalStateException("Not a replay: " + claim);
        }
    }

    Call anySettled() {
        return call(ThreadLocalRandom.current().nextInt(settled));
    }
}
