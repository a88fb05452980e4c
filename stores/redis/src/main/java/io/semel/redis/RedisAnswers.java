// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.RedisClusterClient;
import io.semel.Key;
import io.semel.Retention;
import io.semel.layered.Answers;
import io.semel.redis.internal.client.LettuceClusterCommands;
import io.semel.redis.internal.client.LettuceCommands;
import io.semel.redis.internal.client.LettuceConnection;
import io.semel.redis.internal.script.AnswerEntry;
import io.semel.redis.internal.script.HashedNames;
import io.semel.redis.internal.script.Micros;
import io.semel.redis.internal.script.Script;
import io.semel.store.Claim;
import io.semel.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@link Answers} in Redis, shared by many processes: one round trip to get one, and Redis drops it when it is no
 * longer fresh. Losing them loses nothing but time, so any Redis will do, also one that evicts.
 *
 * <p>Of the options it uses the prefix and the timeout. Choose a short timeout, such as 200 milliseconds: a caller
 * waits for so long for a stalled Redis before the store is asked instead.
 */
public final class RedisAnswers implements Answers, AutoCloseable {

    /** A script, because in a cluster the command itself would go to any server. */
    private static final byte[] TIME = "return redis.call('TIME')".getBytes(StandardCharsets.US_ASCII);

    private final LettuceConnection connection;
    private final HashedNames names;
    private final Time time;

    private RedisAnswers(LettuceConnection connection, RedisOptions options, Time time) {
        this.connection = connection;
        this.names = new HashedNames(options.prefix() + "answer");
        this.time = time;
    }

    /** Answers on one server, or on the master that Sentinel names; the connection is its own, the client stays yours. */
    public static RedisAnswers on(RedisClient client, RedisOptions options) {
        return new RedisAnswers(new LettuceCommands(client, options.client(), Script.SLOTS), options, Time.system());
    }

    /** Answers on a cluster; the connections are its own, the client stays yours. */
    public static RedisAnswers on(RedisClusterClient client, RedisOptions options) {
        return new RedisAnswers(
                new LettuceClusterCommands(client, options.client(), Script.SLOTS), options, Time.system());
    }

    static RedisAnswers on(RedisClient client, RedisOptions options, Time time) {
        return new RedisAnswers(new LettuceCommands(client, options.client(), Script.SLOTS), options, time);
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        return getAll(List.of(key)).get(0);
    }

    @Override
    public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        long asked = time.nanos();
        List<Lookup> lookups = new ArrayList<>(keys.size());
        try {
            keys.forEach(key -> lookups.add(lookUp(key)));
            return lookups.stream().map(each -> each.answer(asked)).toList();
        } finally {
            lookups.forEach(Lookup::giveUp);
        }
    }

    private Lookup lookUp(Key key) {
        byte[] name = names.of(key);
        // In this order: if the answer is replaced in between, its remaining life is underestimated, never
        // overestimated.
        RedisFuture<Long> left = connection.send(() -> connection.commands().pttl(name));
        return new Lookup(key, left, connection.send(() -> connection.commands().get(name)));
    }

    @Override
    public void put(Key key, Claim.Settled settled, Duration freshFor, long asked) {
        byte[] result = settled.result();
        if (result == null) {
            return;
        }
        byte[] name = names.of(key);
        Duration life = least(freshFor, settled.remaining(), Retention.LONGEST);
        long server = serverMillis(name);
        long left = life.minusNanos(time.nanos() - asked).toMillis();
        if (left > 0) {
            // By the server's clock, so that it expires on time even if Redis executes the command late.
            SetArgs until = SetArgs.Builder.pxAt(server + left);
            byte[] entry = AnswerEntry.of(settled, result, life).write(key);
            connection.await(
                    "store an answer",
                    connection.send(() -> connection.commands().set(name, entry, until)));
        }
    }

    private long serverMillis(byte[] name) {
        List<byte[]> now = connection.await(
                "read the time",
                connection.send(() -> connection.commands().eval(TIME, ScriptOutputType.MULTI, new byte[][] {name})));
        return Micros.instant(now).toEpochMilli();
    }

    private static Duration least(Duration... spans) {
        return List.of(spans).stream().min(Duration::compareTo).orElseThrow();
    }

    @Override
    public void forget(Key key) {
        byte[] name = names.of(key);
        connection.await(
                "forget an answer", connection.send(() -> connection.commands().del(name)));
    }

    @Override
    public void close() {
        connection.close();
    }

    /** The commands in flight for a key. */
    private final class Lookup {

        private final Key key;
        private final RedisFuture<Long> left;
        private final RedisFuture<byte[]> stored;

        Lookup(Key key, RedisFuture<Long> left, RedisFuture<byte[]> stored) {
            this.key = key;
            this.left = left;
            this.stored = stored;
        }

        Optional<Claim.Settled> answer(long asked) {
            long millis = connection.await("look up an answer", left);
            return Optional.ofNullable(connection.await("look up an answer", stored))
                    .flatMap(bytes -> AnswerEntry.read(key, bytes))
                    .flatMap(entry -> entry.settled(millis, Duration.ofNanos(time.nanos() - asked)));
        }

        void giveUp() {
            connection.giveUp(left);
            connection.giveUp(stored);
        }
    }
}
