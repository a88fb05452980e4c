// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Key;
import io.semel.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/redis.md shows, on another port. */
class RedisPageTest {

    @Test
    void threeLinesAreEnough() {
        try (Redis redis = Redis.with()) {
            RedisClient client = RedisClient.create("redis://localhost:" + redis.port());
            RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT.withPrefix("payments:"));
            Engine engine = Engine.on(store);

            Call call = Call.of(Key.of("payments", "order-17"), Trial.ASKED);
            engine.run(call, Codec.utf8(), attempt -> "paid");
            assertThat(engine.run(call, Codec.utf8(), attempt -> "paid again"))
                    .isEqualTo(new Outcome.Done<>("paid", true));
            List<String> names = redis.ask(commands -> commands.keys("payments:*"));
            assertThat(names).hasSize(1);
            store.close();
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}
