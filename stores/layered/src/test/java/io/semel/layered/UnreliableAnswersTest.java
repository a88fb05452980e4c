// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import io.semel.Key;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** The laws with one near two places of answers, of which the middle one fails or forgets half of the time. */
class UnreliableAnswersTest extends StoreContract {

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(64 << 20, time);
    private final Answers shared = new Unreliable(NearAnswers.ofBytes(8 << 20, time));

    @Override
    protected Store open() {
        return layered(store);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
    }

    @Override
    protected Store failing() {
        return layered(new MemoryStore(0, time));
    }

    private Store layered(Store truth) {
        Breaker breaker = Breaker.around(shared)
                .opening(3, Duration.ofMinutes(1))
                .telling(notice -> {})
                .timedBy(time);
        CachedStore middle =
                CachedStore.over(truth, breaker).freshFor(Duration.ofHours(3)).timedBy(time);
        return CachedStore.over(middle, NearAnswers.ofBytes(8 << 20, time))
                .freshFor(Duration.ofMinutes(1))
                .timedBy(time);
    }

    /** Forgets what it was told to forget, though: else an amendment would be seen later only. */
    private record Unreliable(Answers place, Random random) implements Answers {

        Unreliable(Answers place) {
            this(place, new Random(7));
        }

        @Override
        public Optional<Claim.Settled> get(Key key) {
            fail();
            return random.nextInt(4) == 0 ? Optional.empty() : place.get(key);
        }

        @Override
        public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
            fail();
            place.put(key, settled, freshFor, asked);
            fail();
        }

        @Override
        public void forget(Key key) {
            place.forget(key);
        }

        private void fail() {
            if (random.nextInt(4) == 0) {
                throw new IllegalStateException("This place cannot be asked at the moment.");
            }
        }
    }
}
