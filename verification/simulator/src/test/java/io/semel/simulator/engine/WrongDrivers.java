// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What an engine would do if it were wrong in one way: each stands between an engine and its store. */
final class WrongDrivers {

    /** Takes a claim that threw for a grant. */
    static class FailsOpen extends Bent {

        private long fence = 1L << 40;

        FailsOpen(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            try {
                return super.claim(call, holder, lease);
            } catch (RuntimeException e) {
                return new Claim.Granted(++fence, false);
            }
        }
    }

    /** Does not look at whether a settle applied. */
    static class IgnoresRefusals extends Bent {

        IgnoresRefusals(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            boolean unseen = super.settle(key, holder, fence, settlement);
            return unseen || settlement instanceof Settlement.Complete || settlement instanceof Settlement.Release;
        }
    }

    /** Takes a settle that threw for one that applied. */
    static class HidesFailures extends Bent {

        HidesFailures(Store straight) {
            super(straight);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            try {
                return super.settle(key, holder, fence, settlement);
            } catch (RuntimeException e) {
                return true;
            }
        }
    }

    /** Keeps answers without an end. */
    static class CachesAnswers extends Bent {

        private final Map<Call, Claim> cache = new HashMap<>();

        CachesAnswers(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim cached = cache.get(call);
            Claim claim = cached != null ? cached : super.claim(call, holder, lease);
            if (claim instanceof Claim.Settled settled && settled.result() != null) {
                cache.put(call, claim);
            }
            return claim;
        }
    }

    /** Answers one call with the claim of another. */
    static class MixesUpKeys extends Bent {

        private Claim last;
        private int claims;

        MixesUpKeys(Store straight) {
            super(straight);
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            Claim claim = super.claim(call, holder, lease);
            Claim given = last != null && ++claims % 5 == 0 ? last : claim;
            last = claim;
            return given;
        }
    }

    private WrongDrivers() {}
}
