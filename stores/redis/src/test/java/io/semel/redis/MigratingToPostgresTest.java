// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.api.sync.RedisServerCommands;
import io.semel.jdbc.JdbcStore;
import io.semel.layered.MigratingStore;
import io.semel.store.Store;
import io.semel.testkit.store.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** The laws on the way from Redis to PostgreSQL. */
class MigratingToPostgresTest extends StoreContract {

    private final Redis redis = Redis.with();
    private final RedisStore old = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
    private final HikariDataSource pool = Postgres.newDatabase("migrating");
    /** One for all: that several act for the same holder at once is possible only within one process. */
    private final MigratingStore store = MigratingStore.of(old, JdbcStore.on(pool), Duration.ofHours(1));

    @Override
    protected Store open() {
        return store;
    }

    @Override
    protected Store failing() {
        HikariDataSource closed = Postgres.pool(pool.getJdbcUrl());
        Store unreachable = JdbcStore.on(closed);
        closed.close();
        return MigratingStore.of(old, unreachable, Duration.ofHours(1));
    }

    @Override
    protected void elapse(Duration span) {
        redis.elapse(span);
        Postgres.elapse(pool, span);
    }

    @AfterEach
    void empty() {
        redis.ask(RedisServerCommands::flushall);
        Postgres.empty(pool);
    }

    @AfterAll
    void stop() {
        old.close();
        pool.close();
        redis.close();
    }
}
