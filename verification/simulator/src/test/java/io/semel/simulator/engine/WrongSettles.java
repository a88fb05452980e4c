// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;

/** Stores that obey settlements wrongly, in one way each, for the simulator to find out. */
final class WrongSettles {

    /** Any holder, or none, may complete, renew and release. */
    static class SettlesForAnyone extends Bent {

        SettlesForAnyone(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return settleForAnyone(key, settlement);
        }
    }

    /** Only a Release is taken from anyone. */
    static class ReleasesForAnyone extends Bent {

        ReleasesForAnyone(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return settlement instanceof Settlement.Release
                    ? settleForAnyone(key, settlement)
                    : super.settle(key, holder, fence, settlement);
        }
    }

    /** Acknowledges results, and loses every third: the slot stays held. */
    static class LosesResults extends Bent {

        private int completed;

        LosesResults(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            boolean lost = settlement instanceof Settlement.Complete && ++completed % 3 == 0;
            return super.settle(key, holder, fence, lost ? new Settlement.Renew(Duration.ofMillis(1)) : settlement);
        }
    }

    /** Evicts every third result at once, as a cache would. */
    static class EvictsResults extends Bent {

        private int completed;

        EvictsResults(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            boolean lost = settlement instanceof Settlement.Complete && ++completed % 3 == 0;
            return super.settle(key, holder, fence, lost ? new Settlement.Release() : settlement);
        }
    }

    /** Has no remembrance: a key is free when its retention ends. */
    static class ForgetsEarly extends Bent {

        ForgetsEarly(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return super.settle(key, holder, fence, shortened(settlement));
        }

        private static Settlement shortened(Settlement settlement) {
            return settlement instanceof Settlement.Complete complete
                    ? new Settlement.Complete(
                            complete.result(), Retention.of(complete.retention().retention(), Duration.ZERO))
                    : settlement;
        }
    }

    /** Keeps results for half of their retention. */
    static class RetainsBriefly extends Bent {

        RetainsBriefly(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            if (settlement instanceof Settlement.Complete complete
                    && !complete.retention().equals(Retention.UNENDING)) {
                Duration half = complete.retention().retention().dividedBy(2);
                return super.settle(
                        key,
                        holder,
                        fence,
                        new Settlement.Complete(
                                complete.result(),
                                Retention.of(
                                        half, complete.retention().remembrance().plus(half))));
            }
            return super.settle(key, holder, fence, settlement);
        }
    }

    /** Acknowledges renewals, and does nothing. */
    static class IgnoresRenewals extends Bent {

        IgnoresRenewals(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return settlement instanceof Settlement.Renew
                    ? holder.equals(holders.get(key))
                    : super.settle(key, holder, fence, settlement);
        }
    }

    /** Acknowledges a Release, and keeps the slot held. */
    static class KeepsReleased extends Bent {

        KeepsReleased(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return super.settle(
                    key,
                    holder,
                    fence,
                    settlement instanceof Settlement.Release
                            ? new Settlement.Renew(Duration.ofSeconds(10))
                            : settlement);
        }
    }

    /** Lets a second result replace the first. */
    static class OverwritesResults extends Bent {

        OverwritesResults(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            boolean applied = super.settle(key, holder, fence, settlement);
            if (!applied
                    && settlement instanceof Settlement.Complete complete
                    && straight.peek(key).orElse(null) instanceof Claim.Settled settled
                    && settled.result() != null) {
                return amend(key, settled.result(), complete);
            }
            return applied;
        }
    }

    private WrongSettles() {}
}
