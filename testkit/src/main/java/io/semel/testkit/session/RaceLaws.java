// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Registration;
import io.semel.store.Claim;
import io.semel.testkit.internal.laws.Law;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The same laws while many ask at once (N4, N6, N9). */
interface RaceLaws extends Backed {

    int THREADS = 8;
    int ROUNDS = 8;

    @Test
    @Law("N4")
    default void ofManyAtOnceOneIsGranted() throws Exception {
        Client client = client();
        for (int number = 1; number <= ROUNDS; number++) {
            long asked = number;
            AtomicInteger grants = new AtomicInteger();
            all(() -> client.at(backend()).send(asked, asked) instanceof Claim.Granted ? grants.incrementAndGet() : 0);
            assertEquals(1, grants.get(), "grants of " + number);
        }
    }

    @Test
    @Law("N6")
    default void noNumberRunsTwiceWhileTheMarkMoves() throws Exception {
        Client client = client();
        ConcurrentMap<Long, Integer> runs = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        all(() -> {
            for (int i = 0; i < ROUNDS * WINDOW / 2; i++) {
                long number = 1L + next.incrementAndGet() / 2;
                String holder = Thread.currentThread().getName() + "." + i;
                Claim claim = client.claim(number, Math.max(1, number - WINDOW / 2), holder);
                if (claim instanceof Claim.Granted && client.complete(number, holder)) {
                    runs.merge(number, 1, Integer::sum);
                }
            }
            return 0;
        });
        assertFalse(runs.isEmpty());
        runs.forEach((number, count) -> {
            assertEquals(1, count, "runs of " + number);
            assertFalse(client.send(number, number) instanceof Claim.Granted, number + " runs again");
        });
    }

    @Test
    @Law("N9")
    default void noMoreSessionsAreRegisteredThanThereIsRoomFor() throws Exception {
        SessionStore store = small(THREADS / 2);
        AtomicInteger registered = new AtomicInteger();
        all(() -> store.register(terms()) ? registered.incrementAndGet() : 0);

        assertEquals(THREADS / 2, registered.get());
        assertEquals(THREADS / 2, store.countSessions().sessions());
    }

    @Test
    @Law("N9")
    default void noMoreSessionsOfAScopeAreRegisteredThanItMayHave() throws Exception {
        SessionStore store = small(2 * THREADS);
        AtomicInteger registered = new AtomicInteger();
        all(() -> store.register(terms(), THREADS / 2) == Registration.LIVE ? registered.incrementAndGet() : 0);

        assertEquals(THREADS / 2, registered.get());
        assertEquals(THREADS / 2, store.countSessions().sessions());
    }

    private static void all(Callable<?> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try {
            List<Callable<Object>> tasks = IntStream.range(0, THREADS)
                    .<Callable<Object>>mapToObj(i -> () -> {
                        start.await();
                        return task.call();
                    })
                    .toList();
            for (Future<Object> each : threads.invokeAll(tasks)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
