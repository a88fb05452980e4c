// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.zoo;

import io.semel.Call;
import io.semel.store.Claim;
import java.time.Duration;

/** Wrong about fences. */
final class Fencers implements Zoo {

    @Breaks("S7")
    static class CountsBackwards extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return --backend.fence;
        }
    }

    @Breaks("S7")
    static class GivesEverybodyTheSameFence extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return 1;
        }
    }

    @Breaks("S7")
    static class StartsAgainAfterARelease extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return last + 1;
        }
    }

    @Breaks("S7")
    static class CountsPerProcess extends PlainStore {
        private long fence;

        @Override
        long nextFence(Object at, long last) {
            return ++fence;
        }
    }

    @Breaks("S7")
    static class CountsInCircles extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            return ++backend.fence % 7;
        }
    }

    @Breaks("S7")
    static class ForgetsTheFenceOfAReleasedSlotSoon extends PlainStore {
        @Override
        long nextFence(Object at, long last) {
            Long released = backend.extras.get(at);
            boolean forgotten = released != null
                    && nanos() - released > Duration.ofMinutes(30).toNanos();
            return forgotten ? 0 : super.nextFence(at, last);
        }

        @Override
        void release(Row row) {
            backend.extras.put(at(row.key), nanos());
            super.release(row);
        }
    }

    @Breaks("S7")
    static class LowersTheFenceWhenAskedInVain extends PlainStore {
        @Override
        Claim refuse(Row row, Call call) {
            backend.fence -= 2;
            return super.refuse(row, call);
        }
    }
}
