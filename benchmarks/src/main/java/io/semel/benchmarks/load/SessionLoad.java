// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.JdbcStore;
import io.semel.jdbc.Schema;
import io.semel.memory.MemoryStore;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisSessions;
import io.semel.redis.RedisStore;
import io.semel.rocksdb.RocksStore;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testservers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures a request of a session, whose client acknowledges every answer with its next request, against one with a key, on the
 * same store: claim and settle each, in ratios within one run. Every thread has a session of its own. Arguments: numbers of threads;
 * {@code -Dstores=redis} for some of the stores.
 */
public final class SessionLoad {

    private static final Fingerprint PRINT = Fingerprint.of("POST", "/payments", "{\"amount\":500}");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int MOST = 10_000;
    private static final int POOL = 8;

    private final Rounds rounds =
            new Rounds(Integer.getInteger("rounds", 7), Duration.ofMillis(Integer.getInteger("millis", 1500)));
    private final byte[] answer = Answers.json(200);
    private final String[] threads;

    private SessionLoad(String[] threads) {
        this.threads = threads;
    }

    public static void main(String[] args) throws Exception {
        SessionLoad load = new SessionLoad(args.length == 0 ? new String[] {"1", "16", "64"} : args);
        // Kept for a day, the answers to keys would fill the memory within seconds.
        Retention brief = Retention.of(Duration.ofMillis(10), Duration.ZERO);
        String stores = System.getProperty("stores", "memory rocksdb redis postgresql");
        if (stores.contains("memory")) {
            load.compare("Memory", brief, new MemoryStore(256 << 20), new MemorySessions(MOST));
        }
        if (stores.contains("rocksdb")) {
            load.onRocks();
        }
        if (stores.contains("redis")) {
            load.onRedis();
        }
        if (stores.contains("postgresql")) {
            load.onPostgres();
        }
    }

    private void onRocks() throws Exception {
        Path directory = Files.createTempDirectory("semel-sessions");
        try (RocksStore store = RocksStore.open(directory.resolve("store"))) {
            compare("RocksDB", Retention.DEFAULT, store, store.sessions(MOST));
        }
        delete(directory);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void onRedis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
            try (RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT);
                    RedisSessions sessions = RedisSessions.on(client, RedisOptions.DEFAULT, MOST)) {
                compare("Redis", Retention.DEFAULT, store, sessions);
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            }
        }
    }

    private void onPostgres() throws Exception {
        try (DurablePostgres postgres = new DurablePostgres(POOL)) {
            Schema.create(postgres.pool());
            Schema.createSessions(postgres.pool());
            JdbcSessions sessions = JdbcSessions.on(postgres.pool(), MOST);
            compare("PostgreSQL", Retention.DEFAULT, JdbcStore.on(postgres.pool()), sessions);
        }
    }

    private void compare(String name, Retention kept, Store store, SessionStore sessions) throws Exception {
        Settlement done = new Settlement.Complete(answer, kept);
        ThreadLocal<Client> clients = ThreadLocal.withInitial(() -> new Client(sessions));
        List<Contender> contenders = List.of(
                new Contender("key: claim and settle", number -> request(store, keyed(number), done)),
                new Contender(
                        "session: claim and settle",
                        number -> request(sessions, clients.get().next(), done)));
        for (String each : threads) {
            int count = Integer.parseInt(each);
            Table.print(name + ": requests", count, rounds.compare(count, contenders));
        }
    }

    private static Call keyed(long number) {
        return Call.of(Key.of("payments/tenant-7", "order-" + number), PRINT);
    }

    private static void request(Store store, Call call, Settlement done) {
        String holder = "a-holder-of-usual-length";
        Claim.Granted granted = (Claim.Granted) store.claim(call, holder, LEASE);
        if (!store.settle(call.key(), holder, granted.fence(), done)) {
            throw new IllegalStateException("A settle did not apply.");
        }
    }

    /** One that has received every answer before it sends the next request. */
    private static final class Client {

        private final Session session = Session.of("payments/tenant-7");
        private long number;

        Client(SessionStore sessions) {
            if (!sessions.register(session)) {
                throw new IllegalStateException("There is no room for a session.");
            }
        }

        Call next() {
            number++;
            return session.key().call(number, number, PRINT);
        }
    }
}
