// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import java.time.Duration;

/** Wrong about slots that are free or held. */
final class Claimers implements Zoo {

    @Breaks("S1")
    static class GrantsToEverybody extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            return granted(row);
        }
    }

    @Breaks("S1")
    static class GrantsNothing extends PlainStore {
        @Override
        Claim open(Object at, Call call, String holder, Duration lease) {
            return new Claim.Held(call.fingerprint(), lease);
        }
    }

    @Breaks("S1")
    static class HasOneSlotForAll extends PlainStore {
        @Override
        Object at(Key key) {
            return key.scope();
        }
    }

    @Breaks("S1")
    static class SeesOnlyItsOwnProcess extends PlainStore {
        @Override
        Object at(Key key) {
            return key + " of handle " + handle;
        }
    }

    @Breaks("S1")
    static class CallsFreshSlotsAbandoned extends PlainStore {
        @Override
        Claim open(Object at, Call call, String holder, Duration lease) {
            Claim.Granted granted = (Claim.Granted) super.open(at, call, holder, lease);
            return new Claim.Granted(granted.fence(), true);
        }
    }

    @Breaks("S2")
    static class ForgetsHowLongItIsHeld extends PlainStore {
        @Override
        Claim tell(Row row) {
            return row.settled ? super.tell(row) : new Claim.Held(row.fingerprint, Duration.ZERO);
        }
    }

    @Breaks("S2")
    static class TellsTheLeaseInsteadOfTheRest extends PlainStore {
        @Override
        Claim tell(Row row) {
            return row.settled || isLapsed(row)
                    ? super.tell(row)
                    : new Claim.Held(row.fingerprint, Duration.ofNanos(row.until - row.since));
        }
    }

    @Breaks("S2")
    static class TellsTheAskersFingerprint extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            return new Claim.Held(call.fingerprint(), left(row.until));
        }
    }

    @Breaks("S2")
    static class ProlongsWhenAskedInVain extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            row.until = Math.max(row.until, nanos() + Duration.ofMinutes(20).toNanos());
            return super.refuse(row, call);
        }
    }

    /** A waiter whose patience ends takes the slot away from whoever runs. */
    @Breaks("S2")
    static class FreesWhenAskedInVain extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            remove(at(row.key));
            return super.refuse(row, call);
        }
    }

    @Breaks("S4")
    static class GivesTheHolderAwayWhenAskedInVain extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            row.holder = "whoever asked last";
            return super.refuse(row, call);
        }
    }

    @Breaks("S2")
    static class TakesAnyLease extends PlainStore {
        @Override
        void check(String holder, Duration lease) {
            super.check(holder, Duration.ofSeconds(1));
        }

        @Override
        long endOfLease(Duration lease, Call call) {
            return super.endOfLease(lease.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365) : lease, call);
        }
    }

    @Breaks("S4")
    static class TakesAnyHolder extends PlainStore {
        @Override
        void check(String holder, Duration lease) {
            super.check("any", lease);
        }
    }

    @Breaks("S2")
    static class CapsLeasesAtADay extends PlainStore {
        @Override
        long endOfLease(Duration lease, Call call) {
            return nanos() + Math.min(lease.toNanos(), Duration.ofDays(1).toNanos());
        }
    }

    /** Zero seconds, read as no end at all. */
    @Breaks("S3")
    static class TakesShortLeasesForUnending extends PlainStore {
        @Override
        long endOfLease(Duration lease, Call call) {
            return lease.toSeconds() == 0 ? Long.MAX_VALUE : super.endOfLease(lease, call);
        }
    }

    @Breaks("S2")
    static class TakesMillisecondsForSeconds extends PlainStore {
        @Override
        long endOfLease(Duration lease, Call call) {
            return nanos() + lease.toNanos() / 1_000;
        }
    }
}
