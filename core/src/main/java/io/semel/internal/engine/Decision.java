// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.engine;

import io.semel.Call;
import io.semel.Outcome;
import io.semel.internal.frame.Frames;
import io.semel.store.Claim;
import java.time.Duration;

/** What to do about a claim: the one place where a store's answer gets its meaning. */
sealed interface Decision {

    record Run(long fence, boolean abandoned) implements Decision {}

    record Wait(Duration remaining) implements Decision {}

    record Replay(byte[] stored) implements Decision {}

    record Refuse(Outcome.Reason reason) implements Decision {}

    /** A mismatch comes first: no retry can mend it, whatever state the slot is in. */
    static Decision on(Call call, Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return new Run(granted.fence(), granted.abandoned());
        }
        if (claim instanceof Claim.Held held) {
            return held.fingerprint().equals(call.fingerprint()) ? new Wait(held.remaining()) : mismatch();
        }
        if (claim instanceof Claim.Refused refused) {
            return new Refuse(refused.reason());
        }
        Claim.Settled settled = (Claim.Settled) claim;
        if (!settled.fingerprint().equals(call.fingerprint())) {
            return mismatch();
        }
        byte[] result = settled.result();
        return result == null ? new Refuse(Outcome.Reason.GONE) : onResult(result);
    }

    /** For a result of the call's own fingerprint. */
    static Decision onResult(byte[] stored) {
        return switch (Frames.kind(stored)) {
            case VALUE, REJECTED -> new Replay(stored);
            case NOT_RETAINED -> new Refuse(Outcome.Reason.NOT_RETAINED);
            case UNKNOWN -> new Refuse(Outcome.Reason.UNKNOWN);
        };
    }

    private static Decision mismatch() {
        return new Refuse(Outcome.Reason.MISMATCH);
    }
}
