// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One write that does not come to an end holds nobody else for longer than they want to wait. */
@Timeout(120)
class StalledWriterTest {

    private final Path directory = Directories.fresh();
    private volatile CountDownLatch stall = new CountDownLatch(0);
    private final CountDownLatch stalled = new CountDownLatch(1);

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void othersAreToldInTimeAndAnswersAreStillGiven() {
        RocksOptions hasty = RocksOptions.DEFAULT.withTimeout(Duration.ofMillis(300));
        try (RocksStore store = new RocksStore(directory, hasty, Time.system(), this::stallingClock)) {
            long fence = ((Claim.Granted) claim(store, "done")).fence();
            Settlement done = new Settlement.Complete(new byte[] {1}, Retention.DEFAULT);
            assertThat(store.settle(Victim.key("done"), "holder of done", fence, done))
                    .isTrue();
            stall = new CountDownLatch(1);
            CompletableFuture<Claim> writes = CompletableFuture.supplyAsync(() -> claim(store, "writes"));
            awaitQuietly(stalled);

            for (int i = 0; i < 3; i++) {
                StoreException thrown = catchThrowableOfType(StoreException.class, () -> claim(store, "waits"));
                assertThat(thrown.changedNothing()).isTrue();
                assertThat(thrown.isUnreachable()).isFalse();
            }
            assertThat(claim(store, "done")).isInstanceOf(Claim.Settled.class);

            stall.countDown();
            assertThat(writes.join()).isInstanceOf(Claim.Granted.class);
            assertThat(claim(store, "waits")).isInstanceOf(Claim.Granted.class);
        } finally {
            stall.countDown();
        }
    }

    /** The writer asks for it before it writes, and stands still there as it would in a disk that does not answer. */
    private Instant stallingClock() {
        if (stall.getCount() > 0) {
            stalled.countDown();
            awaitQuietly(stall);
        }
        return Instant.now();
    }

    private static Claim claim(RocksStore store, String id) {
        return store.claim(Victim.call(Victim.key(id)), "holder of " + id, Victim.LEASE);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
