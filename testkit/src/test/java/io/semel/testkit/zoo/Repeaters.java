// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.store.Claim;
import java.time.Duration;

/** Wrong about claims that their own holder repeats. */
final class Repeaters implements Zoo {

    @Breaks("S13")
    static class TellsTheHolderThatItIsHeld extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            return tell(row);
        }
    }

    @Breaks("S13")
    static class RaisesTheFenceOnRepeat extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            row.fence = nextFence(at(row.key), row.fence);
            return super.repeat(row, call, lease);
        }
    }

    @Breaks("S13")
    static class ForgetsAbandonedOnRepeat extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            super.repeat(row, call, lease);
            return new Claim.Granted(row.fence, false);
        }
    }

    @Breaks("S13")
    static class SaysAbandonedOnRepeat extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            super.repeat(row, call, lease);
            return new Claim.Granted(row.fence, true);
        }
    }

    @Breaks("S13")
    static class KeepsTheLeaseOnRepeat extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            return granted(row);
        }
    }

    @Breaks("S13")
    static class NeverShortensOnRepeat extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            long until = row.until;
            super.repeat(row, call, lease);
            row.until = Math.max(until, row.until);
            return granted(row);
        }
    }

    @Breaks("S13")
    static class TakesOverFromItself extends PlainStore {
        @Override
        Claim repeat(Row row, Call call, Duration lease) {
            return isLapsed(row) ? takeOver(row, call, row.holder, lease) : super.repeat(row, call, lease);
        }
    }

    @Breaks("S13")
    static class KnowsHoldersForEver extends PlainStore {
        @Override
        String keepHolder(String holder) {
            backend.extras.put(holder, 1L);
            return holder;
        }

        @Override
        boolean isHolder(Row row, String holder) {
            return backend.extras.containsKey(holder);
        }
    }

    @Breaks("S13")
    static class GrantsAgainAfterCompletion extends PlainStore {
        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            synchronized (backend) {
                Row row = find(at(call.key()));
                return row != null && row.settled && isHolder(row, holder)
                        ? granted(row)
                        : super.claim(call, holder, lease);
            }
        }
    }

    @Breaks("S13")
    static class RemembersGrantsAfterRelease extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return backend.extras.computeIfAbsent(at, unused -> super.nextFence(at, last));
        }
    }
}
