// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.semel.StoreException;
import io.semel.gateway.config.yaml.ConfigError;
import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.layered.CachedStore;
import io.semel.memory.MemoryStore;
import io.semel.redis.RedisAnswers;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisSessions;
import io.semel.redis.RedisStore;
import io.semel.rocksdb.RocksStore;
import io.semel.session.MemorySessions;
import io.semel.session.SessionStore;
import io.semel.store.Store;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Opens the store behind one URL, or behind two: Redis in front of a database. */
public final class StoreUrl {

    private static final int POOL = 16;
    private static final long CONNECT_MILLIS = 5000;
    private static final Duration SHORT = Duration.ofMillis(200);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final boolean create;

    private StoreUrl(boolean create) {
        this.create = create;
    }

    /**
     * Opens the stores, or throws with a sentence that names the error.
     *
     * @param create whether to make the table of a database that has none
     */
    public static OpenStore open(List<String> urls, boolean create) {
        StoreUrl opening = new StoreUrl(create);
        try {
            return opening.open(urls);
        } catch (RuntimeException e) {
            opening.close();
            throw e;
        }
    }

    /**
     * Makes the tables of a database, those that are not there.
     *
     * @return its URL without passwords
     */
    public static String createTables(List<String> urls, boolean sessions, boolean producers) {
        String url = urls.stream()
                .filter(StoreUrl::isDatabase)
                .findFirst()
                .orElseThrow(() -> new ConfigError(
                        "Only databases have tables; give --store postgresql://… or mariadb://…," + " not "
                                + String.join(
                                        " and ",
                                        urls.stream().map(StoreUrl::shown).toList()) + "."));
        StoreUrl opening = new StoreUrl(true);
        try {
            DataSource source = opening.source(url);
            Schema.create(source);
            if (sessions) {
                Schema.createSessions(source);
            }
            if (producers) {
                Schema.createProducers(source);
            }
            return shown(url);
        } finally {
            opening.close();
        }
    }

    /** Closes everything that was opened. */
    private void close() {
        new OpenStore(new MemoryStore(1), "", List.of(), MemorySessions::new, opened).close();
    }

    private OpenStore open(List<String> urls) {
        if (urls.size() == 1) {
            return one(urls.get(0));
        }
        String redis = urls.stream().filter(StoreUrl::isRedis).findFirst().orElse("");
        String database = urls.stream().filter(StoreUrl::isDatabase).findFirst().orElse("");
        if (urls.size() != 2 || redis.isEmpty() || database.isEmpty()) {
            throw new ConfigError("Two stores go together only as Redis in front of a database;"
                    + " give redis://… and postgresql://… or mariadb://…, or one store alone.");
        }
        RedisAnswers answers = RedisAnswers.on(client(redis), RedisOptions.DEFAULT.withTimeout(SHORT));
        opened.push(answers);
        DataSource source = source(database);
        Store store = CachedStore.over(keys(source, database), answers);
        String label = shown(database) + ", answers also in " + shown(redis);
        return new OpenStore(store, label, List.of(), most -> sessions(source, database, most), opened);
    }

    private OpenStore one(String url) {
        if (url.equals("memory:") || url.equals("memory")) {
            return new OpenStore(new MemoryStore(), "memory", List.of(), MemorySessions::new, opened);
        }
        if (url.startsWith("rocksdb:")) {
            return rocks(Path.of(url.substring("rocksdb:".length())));
        }
        if (isDatabase(url)) {
            DataSource source = source(url);
            Store store = keys(source, url);
            return new OpenStore(store, shown(url), List.of(), most -> sessions(source, url, most), opened);
        }
        if (isRedis(url)) {
            return redis(url);
        }
        throw new ConfigError("'" + shown(url) + "' is not a store; write memory:, rocksdb:DIRECTORY,"
                + " postgresql://user:password@host:port/database, mariadb://… or redis://host:port.");
    }

    private OpenStore rocks(Path directory) {
        RocksStore store = RocksStore.open(directory);
        opened.push(store);
        return new OpenStore(store, "RocksDB in " + directory, List.of(), store::sessions, opened);
    }

    private OpenStore redis(String url) {
        try {
            RedisClient client = client(url);
            RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT);
            opened.push(store);
            return new OpenStore(
                    store,
                    shown(url),
                    store.caveats(),
                    most -> RedisSessions.on(client, RedisOptions.DEFAULT, most),
                    opened);
        } catch (RedisException e) {
            throw new StoreException("Redis cannot be reached at " + shown(url) + ": " + e.getMessage(), e);
        }
    }

    private RedisClient client(String url) {
        RedisURI uri = RedisURI.create(url);
        uri.setTimeout(Duration.ofMillis(CONNECT_MILLIS));
        RedisClient client = RedisClient.create(uri);
        opened.push(client::shutdown);
        return client;
    }

    private Store keys(DataSource source, String url) {
        if (create) {
            Schema.create(source);
        }
        return made(() -> JdbcStore.on(source), url, "");
    }

    private SessionStore sessions(DataSource source, String url, int most) {
        if (create) {
            Schema.createSessions(source);
        }
        return made(() -> JdbcSessions.on(source, most), url, " --sessions");
    }

    /** The library's own message about a missing table addresses users of its jar. */
    private static <T> T made(Supplier<T> store, String url, String option) {
        try {
            return store.get();
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof SQLException)) {
                throw e;
            }
            throw new IllegalStateException(
                    "Semel's tables" + (option.isEmpty() ? "" : " of sessions") + " are not in " + shown(url)
                            + ". Make them with ./semel schema" + option
                            + " --apply --store URL, or start with --create-schema;"
                            + " or have your migrations run what ./semel schema" + option + " prints.",
                    e);
        }
    }

    private DataSource source(String url) {
        try {
            HikariDataSource source = new HikariDataSource(pool(url));
            opened.push(source);
            return source;
        } catch (PoolInitializationException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StoreException("The database cannot be reached at " + shown(url) + ": " + cause.getMessage(), e);
        }
    }

    private static HikariConfig pool(String url) {
        URI uri = parsed(url);
        HikariConfig config = new HikariConfig();
        String scheme = isPostgres(url) ? "postgresql" : "mariadb";
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        int port = uri.getPort();
        config.setJdbcUrl(
                "jdbc:" + scheme + "://" + uri.getHost() + (port < 0 ? "" : ":" + port) + uri.getRawPath() + query);
        String[] user = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        if (user.length > 0) {
            config.setUsername(URLDecoder.decode(user[0], StandardCharsets.UTF_8));
        }
        if (user.length > 1) {
            config.setPassword(URLDecoder.decode(user[1], StandardCharsets.UTF_8));
        }
        config.setPoolName("semel");
        config.setMaximumPoolSize(POOL);
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setInitializationFailTimeout(1);
        return config;
    }

    private static boolean isDatabase(String url) {
        return isPostgres(url) || url.startsWith("mariadb://") || url.startsWith("mysql://");
    }

    /** Both names are in use. */
    private static boolean isPostgres(String url) {
        return url.startsWith("postgresql://") || url.startsWith("postgres://");
    }

    private static boolean isRedis(String url) {
        return url.startsWith("redis://") || url.startsWith("rediss://");
    }

    /** The URL without its passwords; where one may be, rather too much is hidden than too little. */
    static String shown(String url) {
        String named = isRedis(url)
                ? url.replaceFirst("(?<=://).*@", "…@")
                : url.replaceFirst("(?<=://)([^:/@]*):.*@", "$1:…@");
        return named.replaceAll("(?i)([?&][^=&]*(?:pass|pwd|secret|token)[^=&]*=)[^&]*", "$1…");
    }

    private static URI parsed(String url) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() != null
                    && uri.getRawPath() != null
                    && uri.getRawPath().length() > 1) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw wrong(url);
        }
        throw wrong(url);
    }

    private static ConfigError wrong(String url) {
        return new ConfigError("'" + shown(url) + "' is not the URL of a database; write"
                + " postgresql://user:password@host:port/database, with special characters of the password as %XX.");
    }
}
