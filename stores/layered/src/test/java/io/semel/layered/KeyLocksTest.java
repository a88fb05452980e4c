// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.semel.Call;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.memory.MemoryStore;
import io.semel.store.Claim;
import io.semel.testkit.ForwardingSlots;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Within a process, calls about one key take turns; no call waits for those about another. */
class KeyLocksTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** The two have the same hash code, as keys have that a hostile client chooses. */
    @Test
    void aKeyOnWhichAStoreBlocksBlocksNoOther() throws Exception {
        Key blocked = Key.of("scope", "Aa");
        Key other = Key.of("scope", "BB");
        assertThat(other).hasSameHashCodeAs(blocked);
        BlockingOn old = new BlockingOn(blocked);
        MigratingStore store = MigratingStore.of(old, new MemoryStore(1 << 20), Duration.ofDays(1));
        Future<Claim> waiting = threads.submit(() -> Trial.claim(store, blocked));
        old.asked.await();

        assertThat(threads.submit(() -> Trial.claim(store, other)).get(30, TimeUnit.SECONDS))
                .isInstanceOf(Claim.Granted.class);

        old.released.countDown();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aCallThatWaitsForTheLockIsInterrupted() throws Exception {
        Key key = Key.of("scope", "key");
        BlockingOn old = new BlockingOn(key);
        MigratingStore store = MigratingStore.of(old, new MemoryStore(1 << 20), Duration.ofDays(1));
        Future<Claim> first = threads.submit(() -> Trial.claim(store, key));
        old.asked.await();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread second = new Thread(() -> end.complete(catchThrowable(() -> store.peek(key))));
        second.start();
        second.interrupt();

        assertThat(end.get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.changedNothing()).isTrue());
        old.released.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aCallWaitsForTheLockForAWhileOnly() throws Exception {
        KeyLocks locks = new KeyLocks(Duration.ofMillis(20));
        Key key = Key.of("scope", "key");
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Future<Boolean> first = threads.submit(() -> locks.withLock(key, () -> {
            entered.countDown();
            return awaited(released);
        }));
        entered.await();

        assertThatThrownBy(() -> locks.withLock(key, () -> "second"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("scope");
        released.countDown();
        assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(locks.size()).isZero();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aReleasedLockLeavesNothingBehind() {
        KeyLocks locks = new KeyLocks();
        for (int i = 0; i < 100; i++) {
            Key key = Key.of("scope", "key " + i);
            assertThat(locks.withLock(key, locks::size)).isEqualTo(1);
        }
        assertThat(locks.size()).isZero();
    }

    private static final class BlockingOn extends ForwardingSlots {

        private final Key blocked;
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        BlockingOn(Key blocked) {
            super(new MemoryStore(1 << 20));
            this.blocked = blocked;
        }

        @Override
        public Claim claim(Call call, String holder, Duration lease) {
            if (call.key().equals(blocked)) {
                asked.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return super.claim(call, holder, lease);
        }
    }
}
