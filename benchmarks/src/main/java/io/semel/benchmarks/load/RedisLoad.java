// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.redis.RedisOptions;
import io.semel.redis.RedisStore;
import io.semel.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures the Redis store against bare commands over the same client, in ratios within one run.
 *
 * <p>Bare commands are sent in two ways: all threads over one connection, where Lettuce writes them without waiting for each
 * other, and every thread over its own, as pools do. Arguments: numbers of threads.
 */
public final class RedisLoad implements AutoCloseable {

    private static final SetArgs NX_PX = SetArgs.Builder.nx().px(86_400_000);
    private static final int REPLAYED = 20_000;

    private final Rounds rounds =
            new Rounds(Integer.getInteger("rounds", 7), Duration.ofMillis(Integer.getInteger("millis", 1500)));
    private final RedisServer redis = RedisServer.start();
    private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
    private final RedisStore store = RedisStore.on(client, RedisOptions.DEFAULT);
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final RedisCommands<byte[], byte[]> shared = connection.sync();
    private final ThreadLocal<RedisCommands<byte[], byte[]>> own = ThreadLocal.withInitial(
            () -> client.connect(ByteArrayCodec.INSTANCE).sync());
    private final byte[] answer = Answers.json(200);
    private final Calls calls = new Calls(store, answer, REPLAYED);

    public static void main(String[] args) throws Exception {
        try (RedisLoad load = new RedisLoad()) {
            load.footprint();
            for (String threads : args.length == 0 ? new String[] {"1", "16", "64"} : args) {
                load.measure(Integer.parseInt(threads));
            }
        }
    }

    private void measure(int threads) throws Exception {
        List<Contender> pairs = List.of(
                new Contender("SET NX PX, a connection per thread", number -> set(own.get(), number)),
                new Contender("SET NX PX, one connection", number -> set(shared, number)),
                new Contender("Semel: claim and settle", calls::pair));
        Table.print("Redis: claim and settle", threads, rounds.compare(threads, pairs));
        shared.flushall();
        prepareReplays();
        List<Contender> replays = List.of(
                new Contender("GET, a connection per thread", number -> get(own.get())),
                new Contender("GET, one connection", number -> get(shared)),
                new Contender("Semel: claim of a settled key", number -> calls.replay()));
        Table.print("Redis: replay", threads, rounds.compare(threads, replays));
    }

    private void footprint() {
        long before = used();
        for (int i = 0; i < REPLAYED; i++) {
            calls.pair(-1 - i);
        }
        System.out.printf(
                Locale.ROOT,
                "%nRedis: %,d bytes of used_memory per settled key, %d of them its answer%n",
                (used() - before) / REPLAYED,
                answer.length);
    }

    private long used() {
        return shared.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("used_memory:".length()).trim()))
                .findFirst()
                .orElseThrow();
    }

    private void prepareReplays() {
        for (int i = 0; i < REPLAYED; i++) {
            calls.pair(i);
            set(shared, i);
        }
    }

    private void set(RedisCommands<byte[], byte[]> commands, long number) {
        commands.set(Calls.call(number).key().hash(), answer, NX_PX);
    }

    private void get(RedisCommands<byte[], byte[]> commands) {
        if (commands.get(calls.anySettled().key().hash()) == null) {
            throw new IllegalStateException("Nothing is there.");
        }
    }

    @Override
    public void close() {
        store.close();
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        redis.close();
    }
}
