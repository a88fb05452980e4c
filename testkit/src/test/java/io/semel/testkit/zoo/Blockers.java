// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.Key;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Wrong about a key that blocks: somebody else pays for it. */
final class Blockers implements Zoo {

    /** One lock for all, kept while it waits. */
    @Breaks("S14")
    static class WaitsWithEverythingLocked extends InspectableStore {
        @Override
        void awaitTurn(Key key) {
            synchronized (backend) {
                backend.awaitUnblocked(key);
            }
        }
    }

    /** One connection for whatever is settled. */
    @Breaks("S14")
    static class HasOneLaneForSettles extends PlainStore {
        private final ReentrantLock lane = new ReentrantLock();

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            lane.lock();
            try {
                return super.settle(key, holder, fence, settlement);
            } finally {
                lane.unlock();
            }
        }
    }

    /** One connection for claims, which waits for those of the keys before. */
    @Breaks("S14")
    static class HasOneLaneForClaims extends PlainStore {
        private final ReentrantLock lane = new ReentrantLock();

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            lane.lock();
            try {
                return super.claim(call, holder, lease);
            } finally {
                lane.unlock();
            }
        }
    }

    /** Looks at all rows to find one, and waits for each. */
    @Breaks("S14")
    static class PeeksPastEveryRow extends PlainStore {
        @Override
        public Optional<Claim> peek(Key key) {
            backend.blocked.keySet().forEach(backend::awaitUnblocked);
            return super.peek(key);
        }
    }

    @Breaks("S14")
    static class ReadsLockedRows extends InspectableStore {
        @Override
        public Optional<Slot> look(Key key) {
            backend.blocked.keySet().forEach(backend::awaitUnblocked);
            return super.look(key);
        }
    }

    /** A batch of renewals waits for whatever is locked in the table. */
    @Breaks("S14")
    static class RenewsInOneBatch extends PlainStore {
        @Override
        public List<Boolean> settleAll(List<Settling> settlings) {
            backend.blocked.keySet().forEach(backend::awaitUnblocked);
            return super.settleAll(settlings);
        }
    }
}
