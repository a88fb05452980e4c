// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.semel.Key;
import io.semel.jdbc.JdbcStore;
import io.semel.layered.Breaker;
import io.semel.layered.CachedStore;
import io.semel.layered.MigratingStore;
import io.semel.layered.NearAnswers;
import io.semel.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/layers.md shows, as it stands there. */
class LayersPageTest {

    @Test
    void nearAnswersAndRedisInFrontOfPostgres() {
        try (Redis redis = Redis.with();
                HikariDataSource dataSource = Postgres.newDatabase("layers_page")) {
            RedisClient redisClient = redis.client();

            Store postgres = JdbcStore.on(dataSource);
            RedisAnswers shared =
                    RedisAnswers.on(redisClient, RedisOptions.DEFAULT.withTimeout(Duration.ofMillis(200)));
            Store tiered = CachedStore.over(postgres, shared).freshFor(Duration.ofMinutes(10));
            Store store = CachedStore.over(tiered, NearAnswers.ofBytes(64 << 20));

            Key key = Trial.done(store);
            assertThat(Trial.answer(store, key)).isEqualTo("done");
            assertThat(Trial.answer(store, key)).isEqualTo("done");
            shared.close();
        }
    }

    @Test
    void aBreakerThatTellsWhatItDoes() {
        try (Redis redis = Redis.with();
                HikariDataSource dataSource = Postgres.newDatabase("breaker_page");
                RedisAnswers shared =
                        RedisAnswers.on(redis.client(), RedisOptions.DEFAULT.withTimeout(Duration.ofMillis(200)))) {
            Store postgres = JdbcStore.on(dataSource);
            List<Breaker.Notice> metrics = new ArrayList<>();

            Breaker breaker =
                    Breaker.around(shared).opening(3, Duration.ofSeconds(10)).telling(notice -> metrics.add(notice));
            Store tiered = CachedStore.over(postgres, breaker);

            redis.kill();
            Key key = Trial.done(tiered);
            assertThat(Trial.answer(tiered, key)).isEqualTo("done");
            assertThat(metrics).hasAtLeastOneElementOfType(Breaker.Notice.Failed.class);
        }
    }

    @Test
    void theMoveToAnotherStore() {
        try (Redis redis = Redis.with();
                RedisStore oldStore = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
                HikariDataSource dataSource = Postgres.newDatabase("move_page")) {
            Store newStore = JdbcStore.on(dataSource);
            Key before = Trial.done(oldStore);

            MigratingStore store = MigratingStore.of(oldStore, newStore, Duration.ofDays(1));

            assertThat(store.move()).isEqualTo(new MigratingStore.Moved(1, 0));
            assertThat(Trial.answer(newStore, before)).isEqualTo("done");
        }
    }
}
