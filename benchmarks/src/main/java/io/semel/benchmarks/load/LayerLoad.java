// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks.load;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.layered.CachedStore;
import io.semel.layered.NearAnswers;
import io.semel.memory.MemoryStore;
import io.semel.redis.RedisAnswers;
import io.semel.redis.RedisOptions;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import io.semel.testservers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Measures replays through near answers against a map, and through answers in Redis against a bare GET over the same client;
 * in ratios within one run. Arguments: numbers of threads.
 *
 * <p>What is behind the answers does not matter, because it is not asked: here a store in memory.
 */
public final class LayerLoad implements AutoCloseable {

    private static final Fingerprint PRINT = Fingerprint.of("POST", "/payments", "{\"amount\":500}");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofHours(1);
    private static final int REPLAYED = 20_000;

    private final Rounds rounds =
            new Rounds(Integer.getInteger("rounds", 7), Duration.ofMillis(Integer.getInteger("millis", 1500)));
    private final RedisServer redis = RedisServer.start();
    private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
    private final RedisAnswers answers = RedisAnswers.on(client, RedisOptions.DEFAULT);
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final RedisCommands<byte[], byte[]> shared = connection.sync();
    private final ThreadLocal<RedisCommands<byte[], byte[]>> own = ThreadLocal.withInitial(
            () -> client.connect(ByteArrayCodec.INSTANCE).sync());

    private final MemoryStore behind = new MemoryStore(256 << 20);
    private final Store near =
            CachedStore.over(behind, NearAnswers.ofBytes(256 << 20)).freshFor(LONG);
    private final Store tiered = CachedStore.over(behind, answers).freshFor(LONG);
    private final ConcurrentMap<Key, byte[]> map = new ConcurrentHashMap<>();
    private final Call[] calls = new Call[REPLAYED];
    private final byte[] answer = Answers.json(200);

    public static void main(String[] args) throws Exception {
        try (LayerLoad load = new LayerLoad()) {
            load.prepare();
            for (String threads : args.length == 0 ? new String[] {"1", "2", "16", "64"} : args) {
                load.measure(Integer.parseInt(threads));
            }
        }
    }

    private void prepare() {
        for (int i = 0; i < REPLAYED; i++) {
            Call call = Call.of(Key.of("payments/tenant-7", "order-" + i), PRINT);
            calls[i] = call;
            Claim.Granted granted = (Claim.Granted) behind.claim(call, "holder", LEASE);
            behind.settle(call.key(), "holder", granted.fence(), new Settlement.Complete(answer, Retention.DEFAULT));
            replay(near, call);
            replay(tiered, call);
            shared.set(call.key().hash(), answer);
            map.put(call.key(), answer);
        }
    }

    private void measure(int threads) throws Exception {
        List<Contender> nearby = List.of(
                new Contender("map: get and clone", number -> clone(any())),
                new Contender("Semel: claim of a settled key, near", number -> replay(near, any())));
        Table.print("Near: replay", threads, rounds.compare(threads, nearby));
        List<Contender> remote = List.of(
                new Contender("GET, a connection per thread", number -> get(own.get())),
                new Contender("GET, one connection", number -> get(shared)),
                new Contender("Semel: claim of a settled key, tiered", number -> replay(tiered, any())));
        Table.print("Tiered: replay", threads, rounds.compare(threads, remote));
    }

    private void clone(Call call) {
        byte[] found = map.get(call.key());
        if (found == null || found.clone().length != answer.length) {
            throw new IllegalStateException("Nothing is there.");
        }
    }

    private static void replay(Store store, Call call) {
        Claim claim = store.claim(call, "a-holder-that-comes-late", LEASE);
        if (!(claim instanceof Claim.Settled settled) || settled.result() == null) {
            throw new IllegalStateException("Not a replay: " + claim);
        }
    }

    private void get(RedisCommands<byte[], byte[]> commands) {
        if (commands.get(any().key().hash()) == null) {
            throw new IllegalStateException("Nothing is there.");
        }
    }

    private Call any() {
        return calls[ThreadLocalRandom.current().nextInt(REPLAYED)];
    }

    @Override
    public void close() {
        answers.close();
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        redis.close();
    }
}
