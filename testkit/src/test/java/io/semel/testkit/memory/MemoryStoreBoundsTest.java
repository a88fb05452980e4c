// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.testkit.ManualTime;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryStoreBoundsTest {

    private static final long MOST = 64 << 10;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Retention DAY = Retention.of(Duration.ofDays(1), Duration.ZERO);

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(MOST, time);

    @Test
    void aFullStoreRefusesNewKeysAndSaysWhatToDo() {
        fill();

        StoreException refusal = catchThrowableOfType(StoreException.class, () -> claim("one too many"));

        assertThat(refusal.changedNothing()).isTrue();
        assertThat(refusal)
                .hasMessageContaining("full")
                .hasMessageContaining(String.valueOf(MOST))
                .hasMessageContaining("one too many")
                .hasMessageContaining("shorten the retention");
        assertThat(store.peek(key("one too many"))).isEmpty();
    }

    @Test
    void aFullStoreForgetsNothingThatLives() {
        int live = fill();

        for (int i = 0; i < live; i++) {
            assertThat(claim("key " + i)).isInstanceOf(Claim.Settled.class);
        }
        assertThat(store.count().settled()).isEqualTo(live);
        assertThat(store.count().bytes()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void aFullStoreStillSettlesWhatItGranted() {
        claim("granted in time");
        fill();
        Settlement complete = new Settlement.Complete(new byte[10_000], DAY);

        assertThat(settle("granted in time", complete)).isTrue();
        assertThat(claim("granted in time")).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void aFullStoreStillGrantsWhatWasAbandoned() {
        claim("abandoned");
        fill();
        time.advance(LEASE);

        assertThat(store.claim(call("abandoned"), "another holder", LEASE)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void thereIsRoomAgainWhenSomethingExpires() {
        int live = fill();
        time.advance(Duration.ofDays(1));

        for (int i = 0; i < live / 2; i++) {
            assertThat(claim("new key " + i)).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void thereIsRoomAgainWhenSomethingIsReleased() {
        claim("released");
        fill();
        settle("released", new Settlement.Release());

        assertThat(claim("released")).isInstanceOf(Claim.Granted.class);
        assertThatThrownBy(() -> claim("one too many")).isInstanceOf(StoreException.class);
    }

    @Test
    void whatIsGoneTakesOnlyTheRoomOfItsKey() {
        Retention remembered = Retention.of(Duration.ofHours(1), Duration.ofDays(1));
        claim("large");
        settle("large", new Settlement.Complete(new byte[50_000], remembered));
        assertThat(store.count().bytes()).isGreaterThan(50_000);
        time.advance(Duration.ofHours(1));
        store.purge(1);

        assertThat(store.count().bytes()).isLessThan(300);
        assertThat(claim("large")).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void theBytesThatAreCountedComeBackWhenManyThreadsAreDone() {
        MemoryStore shared = new MemoryStore(10 << 20, time);
        IntStream.range(0, 8).parallel().forEach(thread -> {
            for (int i = 0; i < 2_000; i++) {
                String id = "key " + i % 500;
                Settlement settlement = i % 3 == 0
                        ? new Settlement.Complete(new byte[i % 100], DAY)
                        : i % 3 == 1 ? new Settlement.Release() : new Settlement.Renew(LEASE);
                if (shared.claim(call(id), thread + " " + id, LEASE) instanceof Claim.Granted granted) {
                    shared.settle(key(id), thread + " " + id, granted.fence(), settlement);
                }
            }
        });
        time.advance(Duration.ofDays(2));
        shared.purge(Integer.MAX_VALUE);
        for (int i = 0; i < 500; i++) {
            String id = "key " + i;
            if (shared.claim(call(id), "the last", LEASE) instanceof Claim.Granted granted) {
                shared.settle(key(id), "the last", granted.fence(), new Settlement.Release());
            }
        }

        assertThat(shared.count().bytes()).isZero();
    }

    private int fill() {
        int live = 0;
        while (true) {
            try {
                claim("key " + live);
            } catch (StoreException full) {
                return live;
            }
            Settlement complete = new Settlement.Complete(new byte[0], DAY);
            settle("key " + live, complete);
            live++;
        }
    }

    private boolean settle(String id, Settlement settlement) {
        return store.settle(key(id), id, store.look(key(id)).orElseThrow().fence(), settlement);
    }

    /** By a holder that is called as the key. */
    private Claim claim(String id) {
        return store.claim(call(id), id, LEASE);
    }

    private static Call call(String id) {
        return Call.of(key(id), Fingerprint.none());
    }

    private static Key key(String id) {
        return Key.of("scope", id);
    }
}
