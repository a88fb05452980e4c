// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Wrong when things happen at once: each looks, is interrupted by others, and then acts on what it saw. */
final class Racers implements Zoo {

    private static void letOthersIn() {
        LockSupport.parkNanos(20_000);
    }

    @Breaks("S1")
    static class ChecksThenClaims extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            failIfFailing();
            boolean free;
            synchronized (backend) {
                free = find(at(call.key())) == null;
            }
            if (!free) {
                return super.claim(call, holder, lease);
            }
            letOthersIn();
            synchronized (backend) {
                return open(at(call.key()), call, holder, lease);
            }
        }
    }

    /** The stale row is deleted, and whether the new one could be inserted is not looked at. */
    @Breaks("S3")
    static class ChecksThenTakesOver extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            failIfFailing();
            boolean lapsed;
            synchronized (backend) {
                Row row = find(at(call.key()));
                lapsed = row != null && !row.settled && !isHolder(row, holder) && isLapsed(row) && isSame(row, call);
            }
            if (!lapsed) {
                return super.claim(call, holder, lease);
            }
            letOthersIn();
            synchronized (backend) {
                Row row = find(at(call.key()));
                return row == null ? open(at(call.key()), call, holder, lease) : takeOver(row, call, holder, lease);
            }
        }
    }

    @Breaks("S4")
    static class ChecksThenSettles extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            failIfFailing();
            Row row;
            synchronized (backend) {
                row = find(at(key));
                if (row == null || row.settled || !isHolder(row, holder)) {
                    return false;
                }
            }
            letOthersIn();
            synchronized (backend) {
                apply(row, settlement);
                return true;
            }
        }
    }

    @Breaks("S13")
    static class ChecksThenRepeats extends ChecksThenClaims {}

    @Breaks("S7")
    static class CountsFencesWithoutALock extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            long seen = backend.fence;
            Claim claim = super.claim(call, holder, lease);
            if (claim instanceof Claim.Granted granted) {
                letOthersIn();
                backend.fence = Math.max(0, seen - 1);
                return granted;
            }
            return claim;
        }
    }

    @Breaks("S12")
    static class ChecksThenAmends extends InspectableStore {
        @Override
        public boolean amend(Key key, byte[] seen, Settlement verdict) {
            boolean same;
            synchronized (backend) {
                Row row = find(at(key));
                same = row != null && mayAmend(row, seen);
            }
            if (!same || verdict instanceof Settlement.Renew) {
                return super.amend(key, seen, verdict);
            }
            letOthersIn();
            synchronized (backend) {
                apply(find(at(key)), verdict);
                return true;
            }
        }
    }
}
