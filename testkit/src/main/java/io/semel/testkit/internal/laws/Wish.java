// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.internal.laws;

import io.semel.store.Settlement;

/** The three things that a holder, or somebody who is not, may ask of a slot. */
public enum Wish {
    COMPLETE,
    RENEW,
    RELEASE;

    public Settlement settlement() {
        return switch (this) {
            case COMPLETE -> new Settlement.Complete(Expect.bytes("a wish"), Bench.KEPT);
            case RENEW -> new Settlement.Renew(Bench.LEASE.multipliedBy(3));
            case RELEASE -> new Settlement.Release();
        };
    }
}
