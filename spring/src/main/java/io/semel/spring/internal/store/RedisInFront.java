// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.layered.CachedStore;
import io.semel.redis.RedisAnswers;
import io.semel.redis.RedisOptions;
import io.semel.spring.SemelProperties;
import io.semel.spring.internal.transaction.CallSynchronization;
import io.semel.spring.internal.transaction.RequestTransaction;
import io.semel.store.Store;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The cache of answers in Redis in front of a database, which still decides; separate, because its classes may be missing. */
final class RedisInFront {

    /** What is only there to be fast is not waited for any longer. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(200);

    static Optional<ApplicationStore> of(
            ApplicationStore database, SemelProperties settings, ListableBeanFactory beans) {
        Duration given = settings.redis().timeout();
        RedisOptions options = RedisStores.options(settings.redis())
                .withTimeout(given.compareTo(LONGEST_WAIT) < 0 ? given : LONGEST_WAIT);
        Object client = RedisStores.client(beans);
        if (client instanceof RedisClient single) {
            return Optional.of(of(database, settings, new LazyRedisAnswers(() -> RedisAnswers.on(single, options))));
        }
        return client instanceof RedisClusterClient cluster
                ? Optional.of(of(database, settings, new LazyRedisAnswers(() -> RedisAnswers.on(cluster, options))))
                : Optional.empty();
    }

    private static ApplicationStore of(ApplicationStore database, SemelProperties settings, LazyRedisAnswers answers) {
        Duration freshFor = settings.redis().freshFor();
        @Nullable Store leased = database.leased();
        return new ApplicationStore(
                cached(database.store(), answers, freshFor),
                leased == null ? null : cached(leased, answers, freshFor),
                database.database(),
                database.name() + ", with answers cached in Redis",
                database.because() + ", and semel.redis.in-front=true",
                true,
                answers);
    }

    private static CachedStore cached(Store store, LazyRedisAnswers answers, Duration freshFor) {
        CachedStore cached = CachedStore.over(store, answers).freshFor(freshFor);
        return store.commits() ? cached : cached.filledAfterCommit(RedisInFront::fill);
    }

    /**
     * A request asks first of all in its transaction, so what it is told was committed by another, also if its own transaction is
     * rolled back because there is nothing to keep; and so is what anybody is told outside of one. A method may be told what was
     * written in its own transaction before.
     */
    private static void fill(Runnable filling) {
        boolean asking =
                RequestTransaction.isPresent() && RequestTransaction.current().isAsking();
        if (asking || !TransactionSynchronizationManager.isActualTransactionActive()) {
            filling.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new AfterCommit(filling));
    }

    /** Unless a savepoint took the answer back that was seen. */
    private static final class AfterCommit extends CallSynchronization {

        private final Runnable filling;
        private boolean undone;

        AfterCommit(Runnable filling) {
            this.filling = filling;
        }

        @Override
        protected void undone() {
            undone = true;
        }

        @Override
        public void afterCommit() {
            if (!undone) {
                filling.run();
            }
        }
    }

    private RedisInFront() {}
}
