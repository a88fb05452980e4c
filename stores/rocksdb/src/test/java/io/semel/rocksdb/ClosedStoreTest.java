// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Inspectable.View;
import io.semel.store.Settlement;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A closed store throws, whoever asks whatever; it never takes the JVM with it. */
class ClosedStoreTest {

    private static final Key KEY = Victim.key("key");

    private final Path directory = Directories.fresh();
    private final RocksStore store = RocksStore.open(directory);

    @AfterEach
    void clean() {
        store.close();
        Directories.delete(directory);
    }

    @Test
    void everyUseAfterCloseSaysThatItIsClosed() {
        store.close();
        store.close();

        List<ThrowingCallable> uses = List.of(
                () -> store.claim(Victim.call(KEY), "holder", Victim.LEASE),
                () -> store.settle(KEY, "holder", 1, new Settlement.Release()),
                () -> store.peek(KEY),
                () -> store.look(KEY),
                () -> store.page(View.OLDEST, null, 10),
                () -> store.count(),
                () -> store.amend(KEY, new byte[0], new Settlement.Release()),
                () -> store.purge(10));
        for (ThrowingCallable use : uses) {
            assertThatThrownBy(use)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void closingUnderManyCallersLosesNothingAndKillsNothing() throws Exception {
        int callers = 16;
        CountDownLatch busy = new CountDownLatch(callers * 10);
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        try {
            List<Future<Integer>> settled = IntStream.range(0, callers)
                    .mapToObj(i -> pool.submit(untilClosed("caller " + i + " ", busy)))
                    .toList();
            busy.await();
            store.close();
            try (RocksStore again = RocksStore.open(directory)) {
                for (int i = 0; i < callers; i++) {
                    int last = settled.get(i).get() - 1;
                    TornLogTest.expectAnswer(again, Victim.key("caller " + i + " " + last));
                }
            }
        } finally {
            pool.shutdown();
        }
    }

    private Callable<Integer> untilClosed(String name, CountDownLatch busy) {
        return () -> {
            for (int i = 0; ; i++) {
                try {
                    TornLogTest.settle(store, Victim.key(name + i));
                    store.count();
                    store.page(View.OLDEST, null, 3);
                    busy.countDown();
                } catch (StoreException closed) {
                    assertThat(closed).hasMessageContaining("is closed");
                    return i;
                }
            }
        };
    }
}
