// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Level;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.internal.laws.Race;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static final Key KEY = Key.of("scope", "id");
    private static final Call CALL = Call.of(KEY, Fingerprint.of("asked"));
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final ManualTime time = new ManualTime();
    private final History history = new History();
    private final Store store = history.watch(new MemoryStore(1 << 20, time));

    @Test
    void everythingThatIsDoneIsRecordedInItsOrder() {
        long fence = ((Claim.Granted) store.claim(CALL, "a", LEASE)).fence();
        store.claimAll(List.of(new Store.Claiming(CALL, "b", LEASE), new Store.Claiming(CALL, "c", LEASE)));
        history.elapse(LEASE, () -> time.pause(LEASE));
        store.settleAll(List.of(new Store.Settling(KEY, "a", fence, new Settlement.Release())));
        store.peek(KEY);

        assertThat(history.of(KEY)).hasSize(6);
        assertThat(history.of(Key.of("scope", "another"))).hasSize(1);
        assertThatCode(history::check).doesNotThrowAnyException();
    }

    @Test
    void whatThrewIsRecordedWithoutAnAnswer() {
        Store broken = history.watch(new Stub() {
            @Override
            public Claim claim(Call call, String holder, Duration lease) {
                throw new StoreException("the connection was reset", null);
            }
        });
        assertThatThrownBy(() -> broken.claim(CALL, "a", LEASE)).isInstanceOf(StoreException.class);

        assertThat(history.of(KEY)).singleElement().satisfies(event -> {
            assertThat(event.operation().isUnanswered()).isTrue();
            assertThat(event.ended()).isEqualTo(Long.MAX_VALUE);
        });
    }

    @Test
    void whatThrewAndChangedNothingIsNotRecorded() {
        Store full = history.watch(new MemoryStore(0, time));

        assertThatThrownBy(() -> full.claim(CALL, "a", LEASE)).isInstanceOf(StoreException.class);
        assertThat(history.of(KEY)).isEmpty();
    }

    @Test
    void aWrongAnswerIsObjectedToWithItsKeyAndHistory() {
        Store wrong = history.watch(new Stub());
        wrong.claim(CALL, "a", LEASE);
        wrong.claim(CALL, "b", LEASE);

        assertThatThrownBy(history::check)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("scope/id")
                .hasMessageContaining("holder=b");
    }

    @Test
    void aRaceBetweenALookAndAnActIsFound() {
        Store racy = history.watch(new LooksThenActs());

        Race.of(2, i -> () -> racy.claim(CALL, "holder " + i, LEASE));

        assertThatThrownBy(history::check).isInstanceOf(AssertionError.class);
    }

    @Test
    void manyThreadsOnTheMemoryStoreLeaveALawfulHistory() {
        Settlement complete = new Settlement.Complete(new byte[] {1}, Retention.DEFAULT);

        Race.of(8, i -> () -> {
            for (int step = 0; step < 50; step++) {
                String holder = i + "." + step;
                if (store.claim(CALL, holder, LEASE) instanceof Claim.Granted granted) {
                    store.settle(
                            KEY, holder, granted.fence(), i == 7 && step > 25 ? complete : new Settlement.Release());
                }
                store.peek(KEY);
            }
            return i;
        });

        assertThat(history.of(KEY)).hasSizeGreaterThan(800);
        history.check();
    }

    /** Grants everything. */
    private static class Stub implements Store {

        @Override
        public Level level() {
            return Level.BEST_EFFORT;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            return new Claim.Granted(1, false);
        }

        @Override
        public boolean settle(Key key, String holder, long fence, Settlement settlement) {
            return true;
        }

        @Override
        public Optional<Claim> peek(Key key) {
            return Optional.empty();
        }
    }

    /** Two callers meet after they have looked and before they act. */
    private static final class LooksThenActs extends Stub {

        private final Map<Key, String> holders = new ConcurrentHashMap<>();
        private final CyclicBarrier looked = new CyclicBarrier(2);

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            boolean free = !holders.containsKey(call.key());
            try {
                looked.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            holders.put(call.key(), holder);
            return free ? new Claim.Granted(holder.hashCode(), false) : new Claim.Held(call.fingerprint(), lease);
        }
    }
}
