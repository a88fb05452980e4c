// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Level;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.testservers.RedisServer;
import org.junit.jupiter.api.Test;

class RedisTest {

    @Test
    void aHundredThreadsWithOneKeyRunOnceOnRealRedis() {
        Apps.bare()
                .withConfiguration(Boot.auto("DataRedis|Redis"))
                .withPropertyValues(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + RedisServer.shared().port(),
                        "semel.redis.prefix=redis-test:",
                        "semel.when-busy=1m")
                .withBean("tenant", Shop.Tenant.class)
                .withBean(Shop.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ApplicationStore.class).store().level())
                            .isEqualTo(Level.BEST_EFFORT);
                    Shop shop = context.getBean(Shop.class);
                    assertThat(Threads.together(100, () -> shop.generic("1"))).hasSize(100);
                    assertThat(shop.runs()).isOne();
                });
    }
}
