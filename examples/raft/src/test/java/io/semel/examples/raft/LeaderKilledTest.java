// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Case 82 on a real Raft engine: increments that are retried while their leader is killed are counted once each. */
class LeaderKilledTest {

    private static final int CLIENTS = 4;
    private static final int EACH = 500;
    private static final int KILLS = 3;
    /** Every tenth request is delivered twice, answered or not. */
    private static final int TWICE = 10;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void thousandsOfIncrementsAreCountedOnceEach() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        AtomicLong sent = new AtomicLong();
        try (Servers servers = new Servers(directory)) {
            List<CountDownLatch> progress = new ArrayList<>();
            for (int i = 0; i < KILLS; i++) {
                progress.add(new CountDownLatch((i + 1) * CLIENTS * EACH / (KILLS + 1)));
            }
            List<Future<Set<Long>>> answers = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client-" + i;
                answers.add(threads.submit(() -> count(servers, name, progress, sent)));
            }
            for (CountDownLatch each : progress) {
                each.await();
                servers.killLeader();
            }
            Set<Long> all = new TreeSet<>();
            for (Future<Set<Long>> each : answers) {
                all.addAll(each.get());
            }

            // Each increment answers with the count after it: no two the same, none missing.
            assertThat(all).hasSize(CLIENTS * EACH).contains(1L, (long) CLIENTS * EACH);
            assertThat(sent.get()).isGreaterThan(CLIENTS * EACH * (TWICE + 1L) / TWICE);
            agree(servers);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Set<Long> count(Servers servers, String name, List<CountDownLatch> progress, AtomicLong sent)
            throws Exception {
        Set<Long> answers = new TreeSet<>();
        try (TallyClient client = new TallyClient(servers.group(), name)) {
            client.register();
            for (int i = 0; i < EACH; i++) {
                long answer = client.add(1);
                answers.add(answer);
                if (i % TWICE == 0) {
                    assertThat(client.again(1)).isEqualTo(answer);
                }
                progress.forEach(CountDownLatch::countDown);
            }
            sent.addAndGet(client.sent());
        }
        return answers;
    }

    /** Once all have applied the log, the state is the same everywhere, down to the last byte of the sessions. */
    private static void agree(Servers servers) throws Exception {
        try (TallyClient client = new TallyClient(servers.group(), "auditor")) {
            client.register();
            Set<String> states = new TreeSet<>();
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            do {
                states.clear();
                for (int i = 0; i < Servers.COUNT; i++) {
                    states.add(client.stateInTheEnd(TallyServer.id(i), end));
                }
            } while (states.size() > 1 && System.nanoTime() < end);
            assertThat(states).singleElement().asString().startsWith(CLIENTS * EACH + " ");
        }
    }
}
