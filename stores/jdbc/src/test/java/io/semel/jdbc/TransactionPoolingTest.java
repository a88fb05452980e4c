// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Engine;
import io.semel.Outcome.Done;
import io.semel.store.Inspectable.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TransactionPoolingTest {

    private static final int SESSIONS = 3;
    private static final int CLIENTS = 6;

    @Test
    void nothingIsLeftInASessionThatTheNextTransactionOfSomebodyElseGets() throws Exception {
        String url = Postgres.newest().newUrl("pooled") + "&prepareThreshold=0";
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        // Not through the pooler: the block that upgrades loads a language, of which a session then shows the settings.
        try (HikariDataSource direct = Pools.of(url, "postgres", "")) {
            Schema.create(direct);
        }
        try (TransactionPooler pooler = new TransactionPooler(url, "postgres", SESSIONS)) {
            JdbcStore store = JdbcStore.on(pooler.source());
            Engine leased = Engine.on(store);
            Till joined = new Till(pooler.source());
            TransactingStore transacting = TransactingStore.on(pooler.source());
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                TransactingStore own = i % 2 == 0 ? transacting : transacting.optimistic();
                all.add(clients.submit(() -> {
                    use(store, leased, joined);
                    use(own, joined);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }

            assertThat(pooler.leaks()).isEmpty();
        } finally {
            clients.shutdownNow();
        }
    }

    private static void use(TransactingStore store, Till till) throws Exception {
        Engine engine = Engine.on(store);
        for (int i = 0; i < 10; i++) {
            Call call = Till.newCall();
            for (boolean replayed : new boolean[] {false, true}) {
                assertThat(engine.run(call, Till.UTF8, TransactingStoreContract.charging(store, call)))
                        .isEqualTo(new Done<>("charged", replayed));
            }
            assertThat(till.charges(call)).isEqualTo(1);
        }
    }

    private static void use(JdbcStore store, Engine leased, Till joined) throws Exception {
        for (int i = 0; i < 10; i++) {
            Call first = Till.newCall();
            assertThat(leased.run(first, Till.UTF8, attempt -> "charged")).isEqualTo(new Done<>("charged", false));
            assertThat(leased.run(first, Till.UTF8, attempt -> "never")).isEqualTo(new Done<>("charged", true));
            Call second = Till.newCall();
            assertThat(joined.charge(second)).isEqualTo(new Done<>("charged", false));
            assertThat(joined.charge(second)).isEqualTo(new Done<>("charged", true));
            assertThat(joined.charges(second)).isEqualTo(1);
        }
        store.purge(10);
        store.count();
        store.page(View.OLDEST, null, 5);
    }
}
