// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Key;
import io.semel.store.Settlement;
import java.time.Duration;

/** Wrong about renewals. */
final class Renewers implements Zoo {

    @Breaks("S3")
    static class TakesZeroForUnset extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            if (!lease.isZero()) {
                super.renew(row, lease);
            }
        }
    }

    @Breaks("S3")
    static class ReleasesWhenRenewedByNothing extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            if (lease.isZero()) {
                release(row);
            } else {
                super.renew(row, lease);
            }
        }
    }

    @Breaks("S3")
    static class ForgetsWhoGaveItUp extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            super.renew(row, lease);
            if (lease.isZero()) {
                row.holder = "";
            }
        }
    }

    @Breaks("S2")
    static class AddsToTheLease extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            row.until += lease.toNanos();
            row.until = lease.isZero() ? nanos() : row.until;
        }
    }

    @Breaks("S2")
    static class NeverShortensALease extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            row.until = lease.isZero() ? nanos() : Math.max(row.until, nanos() + lease.toNanos());
        }
    }

    @Breaks("S2")
    static class RenewsFromTheClaim extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            row.until = lease.isZero() ? nanos() : row.since + lease.toNanos();
        }
    }

    @Breaks("S2")
    static class RenewsTenTimesAtMost extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            if (backend.extras.merge(row.holder, 1L, Long::sum) <= 10) {
                super.renew(row, lease);
            }
        }
    }

    @Breaks("S7")
    static class RaisesTheFenceOnRenewal extends PlainStore {
        @Override
        void renew(Row row, Duration lease) {
            row.fence = nextFence(at(row.key), row.fence);
            super.renew(row, lease);
        }
    }

    @Breaks("S4")
    static class RevivesNoLease extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            synchronized (backend) {
                Row row = find(at(key));
                boolean late = row != null && isLapsed(row) && settlement instanceof Settlement.Renew;
                return !late && super.settle(key, holder, fence, settlement);
            }
        }
    }
}
