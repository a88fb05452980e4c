// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.semel.jdbc.JdbcStore;
import io.semel.layered.CachedStore;
import io.semel.layered.NearAnswers;
import io.semel.store.Store;
import io.semel.testkit.ManualTime;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** The laws with answers near each handle, in front of answers in Redis, in front of PostgreSQL. */
class TieredStoreTest extends StoreContract {

    private static final Duration LONG = Duration.ofDays(36_500);

    private final Redis redis = Redis.with();
    private final HikariDataSource pool = Postgres.newDatabase("tiered");
    private final ManualTime time = new ManualTime();
    private final List<RedisAnswers> shared = new ArrayList<>();

    @Override
    protected Store open() {
        return tiered(JdbcStore.on(pool));
    }

    @Override
    protected Store failing() {
        HikariDataSource closed = Postgres.pool(pool.getJdbcUrl());
        Store store = JdbcStore.on(closed);
        closed.close();
        return tiered(store);
    }

    private Store tiered(Store truth) {
        RedisAnswers answers = RedisAnswers.on(redis.client(), RedisOptions.DEFAULT, time);
        shared.add(answers);
        CachedStore tiered = CachedStore.over(truth, answers).freshFor(LONG).timedBy(time);
        return CachedStore.over(tiered, NearAnswers.ofBytes(8 << 20, time))
                .freshFor(LONG)
                .timedBy(time);
    }

    @Override
    protected void elapse(Duration span) {
        time.pause(span);
        redis.elapse(span);
        Postgres.elapse(pool, span);
    }

    @AfterEach
    void empty() {
        shared.forEach(RedisAnswers::close);
        shared.clear();
        redis.ask(RedisServerCommands::flushall);
        Postgres.empty(pool);
    }

    @AfterAll
    void stop() {
        pool.close();
        redis.close();
    }
}
