// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisSessions;
import io.semel.redis.RedisStore;
import io.semel.session.SessionStore;
import io.semel.spring.SemelProperties;
import io.semel.store.Store;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** The store in Redis, on the client that Boot has connected; apart, because its classes may be missing. */
public final class RedisStores {

    private static final String FACTORY = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";

    static Optional<ApplicationStore> find(SemelProperties settings, ListableBeanFactory beans, List<String> passed) {
        Object client = client(beans);
        RedisOptions options = options(settings.redis());
        if (client instanceof RedisClient single) {
            return Optional.of(
                    ApplicationStore.of(RedisStore.on(single, options), "Redis", "a Lettuce client is there"));
        }
        if (client instanceof RedisClusterClient cluster) {
            return Optional.of(ApplicationStore.of(
                    RedisStore.on(cluster, options), "a Redis cluster", "a Lettuce client is there"));
        }
        passed.add("there is no single Lettuce client or LettuceConnectionFactory");
        return Optional.empty();
    }

    /** On the same server, under the same prefix; null if that is not where the keys are. */
    public static @Nullable SessionStore sessions(
            Store keys, SemelProperties settings, ListableBeanFactory beans, int cap) {
        Object client = keys instanceof RedisStore ? client(beans) : null;
        RedisOptions options = options(settings.redis());
        if (client instanceof RedisClient single) {
            return RedisSessions.on(single, options, cap);
        }
        return client instanceof RedisClusterClient cluster ? RedisSessions.on(cluster, options, cap) : null;
    }

    static @Nullable Object client(ListableBeanFactory beans) {
        Object client = beans.getBeanProvider(RedisClient.class).getIfUnique();
        if (client == null) {
            client = beans.getBeanProvider(RedisClusterClient.class).getIfUnique();
        }
        return client == null && ClassUtils.isPresent(FACTORY, RedisStores.class.getClassLoader())
                ? Data.client(beans)
                : client;
    }

    static RedisOptions options(SemelProperties.Redis redis) {
        RedisOptions options = RedisOptions.DEFAULT.withPrefix(redis.prefix()).withTimeout(redis.timeout());
        return redis.durable() ? options.durable() : options;
    }

    /** Apart again: Lettuce may be there without Spring Data. */
    private static final class Data {

        static @Nullable Object client(ListableBeanFactory beans) {
            LettuceConnectionFactory factory =
                    beans.getBeanProvider(LettuceConnectionFactory.class).getIfUnique();
            return factory == null ? null : factory.getNativeClient();
        }
    }

    private RedisStores() {}
}
