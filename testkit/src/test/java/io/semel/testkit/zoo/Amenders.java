// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.store.Settlement;
import io.semel.store.Settlement.Complete;
import io.semel.store.Settlement.Release;
import java.util.Arrays;

/** Wrong about amendments. */
final class Amenders implements Zoo {

    @Breaks("S12")
    static class IgnoresWhatWasSeen extends InspectableStore {
        @Override
        boolean isSeen(byte[] result, byte[] seen) {
            return true;
        }
    }

    @Breaks("S12")
    static class ComparesTheBeginningOfWhatWasSeen extends InspectableStore {
        @Override
        boolean isSeen(byte[] result, byte[] seen) {
            int length = Math.min(result.length, seen.length);
            return Arrays.equals(result, 0, length, seen, 0, length);
        }
    }

    @Breaks("S12")
    static class AmendsNothing extends InspectableStore {
        @Override
        boolean isSeen(byte[] result, byte[] seen) {
            return false;
        }
    }

    @Breaks("S12")
    static class RefusesEmptyResults extends InspectableStore {
        @Override
        boolean isSeen(byte[] result, byte[] seen) {
            return seen.length > 0 && super.isSeen(result, seen);
        }
    }

    @Breaks("S12")
    static class AmendsWhatIsHeld extends InspectableStore {
        @Override
        boolean mayAmend(Row row, byte[] seen) {
            return !row.settled || super.mayAmend(row, seen);
        }
    }

    @Breaks("S12")
    static class AmendsWhatIsGone extends InspectableStore {
        @Override
        boolean mayAmend(Row row, byte[] seen) {
            return (row.settled && row.result == null) || super.mayAmend(row, seen);
        }
    }

    @Breaks("S12")
    static class TakesRenewalsForAmendments extends InspectableStore {
        @Override
        public boolean amend(Key key, byte[] seen, Settlement verdict) {
            return !(verdict instanceof Settlement.Renew) && super.amend(key, seen, verdict);
        }
    }

    @Breaks("S12")
    static class KeepsTheRetentionOfWhatItAmends extends InspectableStore {
        @Override
        void complete(Row row, Complete complete) {
            boolean amended = row.settled;
            long until = row.until;
            long forget = row.forget;
            super.complete(row, complete);
            if (amended) {
                row.until = until;
                row.forget = forget;
            }
        }
    }

    @Breaks("S12")
    static class KeepsTheArrayItAmendsWith extends InspectableStore {
        @Override
        void complete(Row row, Complete complete) {
            boolean amended = row.settled;
            super.complete(row, complete);
            if (amended) {
                row.result = complete.result();
            }
        }
    }

    @Breaks("S12")
    static class LeavesReleasedResultsToTheirRequest extends InspectableStore {
        @Override
        public boolean amend(Key key, byte[] seen, Settlement verdict) {
            synchronized (backend) {
                Row row = find(at(key));
                if (row != null && mayAmend(row, seen) && verdict instanceof Release) {
                    row.settled = false;
                    row.until = nanos();
                    return true;
                }
                return super.amend(key, seen, verdict);
            }
        }
    }

    @Breaks("S7")
    static class ForgetsTheFenceOfWhatItReleases extends InspectableStore {
        @Override
        long nextFence(Object at, long last) {
            return backend.extras.containsKey(at) ? 0 : super.nextFence(at, last);
        }

        @Override
        void release(Row row) {
            if (row.settled) {
                backend.extras.put(at(row.key), 0L);
            }
            super.release(row);
        }
    }
}
