// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.List;

/** Wrong about not knowing. */
final class Failers implements Zoo {

    @Breaks("S9")
    static class GrantsWhenItDoesNotKnow extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            try {
                return super.claim(call, holder, lease);
            } catch (StoreException e) {
                return new Claim.Granted(1, false);
            }
        }
    }

    @Breaks("S9")
    static class SaysHeldWhenItDoesNotKnow extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            try {
                return super.claim(call, holder, lease);
            } catch (StoreException e) {
                return new Claim.Held(call.fingerprint(), lease);
            }
        }
    }

    @Breaks("S9")
    static class LeavesWhatItDoesNotKnowOutOfABatch extends PlainStore {
        @Override
        public List<Claim> claimAll(List<Claiming> claimings) {
            try {
                return super.claimAll(claimings);
            } catch (StoreException e) {
                return List.of();
            }
        }
    }

    @Breaks("S9")
    static class SettlesOnABestEffort extends PlainStore {
        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            try {
                return super.settle(key, holder, fence, settlement);
            } catch (StoreException e) {
                return true;
            }
        }
    }

    @Breaks("S9")
    static class ThrowsWhatItsDriverThrows extends PlainStore {
        @Override
        void failIfFailing() {
            if (failing) {
                throw new IllegalStateException("connection refused");
            }
        }
    }

    @Breaks("S9")
    static class SaysThatItChangedNothingButDid extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            if (failing) {
                open(at(call.key()), call, holder, lease);
            }
            return super.claim(call, holder, lease);
        }
    }

    @Breaks("S9")
    static class SwallowsInterrupts extends PlainStore {
        @Override
        void failIfFailing() {
            super.failIfFailing();
            Thread.interrupted();
        }
    }

    @Breaks("S9")
    static class DiesOfAnInterrupt extends PlainStore {
        @Override
        void failIfFailing() {
            failing |= Thread.currentThread().isInterrupted();
            super.failIfFailing();
        }
    }
}
