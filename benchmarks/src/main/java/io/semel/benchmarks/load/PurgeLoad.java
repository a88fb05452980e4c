// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.semel.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** What serving loses while a million rows that are over are purged. */
final class PurgeLoad {

    private static final int EXPIRED = 1_000_000;
    private static final int THREADS = 16;

    static void print(DurablePostgres postgres) throws Exception {
        LeasedLoad load = new LeasedLoad(postgres);
        postgres.execute(
                "INSERT INTO semel_slot (id, print, fence, attempts, since, until, forget, result, scope, name)"
                        + " SELECT gen_random_uuid(), gen_random_uuid(), n, 1, n, n, n, repeat('x', 200)::bytea, 'payments', n::text::bytea"
                        + " FROM generate_series(1, " + EXPIRED + ") n");
        postgres.execute("VACUUM ANALYZE semel_slot");
        postgres.execute("CHECKPOINT");
        List<Contender> pairs = load.pairs().subList(1, 2);
        Rounds rounds = new Rounds(5, Duration.ofSeconds(1));
        Result alone = rounds.compare(THREADS, pairs).get(0);
        long start = System.nanoTime();
        CompletableFuture<Double> purge = CompletableFuture.supplyAsync(() -> {
            int purged = JdbcStore.on(postgres.pool()).purge(EXPIRED);
            return purged * 1e9 / (System.nanoTime() - start);
        });
        Result during = rounds.compare(THREADS, pairs).get(0);
        boolean longer = !purge.isDone();
        System.out.printf(
                Locale.ROOT,
                "%nPurging %,d rows while serving, %d threads: %,.0f pairs/s without, %,.0f with: %.2f; %s, %,.0f rows/s%n",
                EXPIRED,
                THREADS,
                alone.perSecond(),
                during.perSecond(),
                during.perSecond() / alone.perSecond(),
                longer ? "it took longer than the rounds" : "it ended before the rounds",
                purge.join());
    }

    private PurgeLoad() {}
}
