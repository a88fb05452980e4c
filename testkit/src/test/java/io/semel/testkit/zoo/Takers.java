// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.store.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Wrong about slots whose holder fell silent. */
final class Takers implements Zoo {

    @Breaks("S3")
    static class NeverFreesLapsedSlots extends PlainStore {
        @Override
        boolean isLapsed(Row row) {
            return false;
        }
    }

    @Breaks("S3")
    static class GrantsLapsedSlotsToAnybody extends PlainStore {
        @Override
        boolean isSame(Row row, Call call) {
            return true;
        }
    }

    @Breaks("S3")
    static class SaysNotAbandoned extends PlainStore {
        @Override
        Claim granted(Row row) {
            return new Claim.Granted(row.fence, false);
        }
    }

    @Breaks("S3")
    static class ForgetsLapsedSlots extends PlainStore {
        @Override
        @Nullable
        Row find(Object at) {
            Row row = super.find(at);
            return row == null || row.settled || !isLapsed(row) ? row : null;
        }
    }

    /** A time to live on everything, so that the backend cleans up by itself. */
    @Breaks("S3")
    static class ForgetsClaimsAfterAMonth extends PlainStore {
        @Override
        @Nullable
        Row find(Object at) {
            Row row = super.find(at);
            boolean old =
                    row != null && nanos() - row.since > Duration.ofDays(30).toNanos();
            return old && !row.settled ? null : row;
        }
    }

    @Breaks("S3")
    static class KeepsTheOldLeaseOnTakeover extends PlainStore {
        @Override
        Claim takeOver(Row row, Call call, String holder, Duration lease) {
            long until = row.until;
            Claim claim = super.takeOver(row, call, holder, lease);
            row.until = until;
            return claim;
        }
    }

    @Breaks("S3")
    static class KeepsTheFenceOnTakeover extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return last > 0 ? last : super.nextFence(at, last);
        }
    }

    @Breaks("S3")
    static class TakesOverOnlyOnce extends PlainStore {
        @Override
        boolean isLapsed(Row row) {
            return row.attempts == 1 && super.isLapsed(row);
        }
    }

    @Breaks("S3")
    static class SpoilsLapsedSlotsForAnotherRequest extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            Claim told = super.refuse(row, call);
            if (isLapsed(row)) {
                row.fingerprint = call.fingerprint();
            }
            return told;
        }
    }

    @Breaks("S3")
    static class TellsTheLeaseOfALapsedSlot extends PlainStore {
        @Override
        Claim tell(Row row) {
            boolean lapsed = !row.settled && isLapsed(row);
            return lapsed ? new Claim.Held(row.fingerprint, Duration.ofMinutes(1)) : super.tell(row);
        }
    }

    @Breaks("S3")
    static class FreesLapsedSlotsForItsOwnProcessOnly extends PlainStore {
        @Override
        String keepHolder(String holder) {
            backend.extras.put(holder, (long) handle);
            return holder;
        }

        @Override
        boolean isLapsed(Row row) {
            return backend.extras.getOrDefault(row.holder, 0L) == handle && super.isLapsed(row);
        }
    }

    @Breaks("S3")
    static class RefusesToCompleteWhatWasTakenOver extends PlainStore {
        @Override
        boolean isHolder(Row row, String holder) {
            return row.attempts == 1 && super.isHolder(row, holder);
        }
    }
}
