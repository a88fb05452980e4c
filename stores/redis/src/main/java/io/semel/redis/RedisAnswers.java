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
import io.semel.store.Claim;
import io.semel.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@link Answers} in Redis, which many processes share: one round trip to get one, and Redis drops it when it is no longer
 * fresh. Losing them loses nothing but time, so any Redis will do, also one that evicts.
 *
 * <p>Of the options it heeds the prefix and the time-out. Let that be short, such as 200 milliseconds: so long a caller waits
 * for a Redis that stands still before the store is asked instead.
 */
public final class RedisAnswers implements Answers, AutoCloseable {

    /** As a script, because in a cluster the command itself would go to any server. */
    private static final byte[] TIME = "return redis.call('TIME')".getBytes(StandardCharsets.US_ASCII);

    private final LettuceTrips trips;
    private final Names names;
    private final Time time;

    private RedisAnswers(LettuceTrips trips, RedisOptions options, Time time) {
        this.trips = trips;
        this.names = new Names(options.prefix() + "answer");
        this.time = time;
    }

    /** Answers on one server, or on the master that Sentinel names; its connection is its own, the client stays yours. */
    public static RedisAnswers on(RedisClient client, RedisOptions options) {
        return new RedisAnswers(new LettuceCommands(client, options, Script.SEMEL), options, Time.system());
    }

    /** Answers on a cluster; its connections are its own, the client stays yours. */
    public static RedisAnswers on(RedisClusterClient client, RedisOptions options) {
        return new RedisAnswers(new LettuceClusterCommands(client, options, Script.SEMEL), options, Time.system());
    }

    static RedisAnswers on(RedisClient client, RedisOptions options, Time time) {
        return new RedisAnswers(new LettuceCommands(client, options, Script.SEMEL), options, time);
    }

    @Override
    public Optional<Claim.Settled> get(Key key) {
        return getAll(List.of(key)).get(0);
    }

    @Override
    public List<Optional<Claim.Settled>> getAll(List<Key> keys) {
        long asked = time.nanos();
        List<Question> questions = new ArrayList<>(keys.size());
        try {
            keys.forEach(key -> questions.add(ask(key)));
            return questions.stream().map(each -> each.answer(asked)).toList();
        } finally {
            questions.forEach(Question::giveUp);
        }
    }

    private Question ask(Key key) {
        byte[] name = names.of(key);
        // In this order: should it be replaced in between, too little is left of it rather than too much.
        RedisFuture<Long> left = trips.send(() -> trips.commands().pttl(name));
        return new Question(key, left, trips.send(() -> trips.commands().get(name)));
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
            // By the server's clock, so that it ends when it should even if Redis gets to it late.
            SetArgs until = SetArgs.Builder.pxAt(server + left);
            byte[] entry = Entry.of(settled, result, life).write(key);
            trips.await("remember an answer", trips.send(() -> trips.commands().set(name, entry, until)));
        }
    }

    private long serverMillis(byte[] name) {
        List<byte[]> now = trips.await(
                "tell the time",
                trips.send(() -> trips.commands().eval(TIME, ScriptOutputType.MULTI, new byte[][] {name})));
        return Micros.instant(now).toEpochMilli();
    }

    private static Duration least(Duration... spans) {
        return List.of(spans).stream().min(Duration::compareTo).orElseThrow();
    }

    @Override
    public void forget(Key key) {
        byte[] name = names.of(key);
        trips.await("forget an answer", trips.send(() -> trips.commands().del(name)));
    }

    @Override
    public void close() {
        trips.close();
    }

    /** What is on its way to Redis about a key. */
    private final class Question {

        private final Key key;
        private final RedisFuture<Long> left;
        private final RedisFuture<byte[]> stored;

        Question(Key key, RedisFuture<Long> left, RedisFuture<byte[]> stored) {
            this.key = key;
            this.left = left;
            this.stored = stored;
        }

        Optional<Claim.Settled> answer(long asked) {
            long millis = trips.await("look for an answer", left);
            return Optional.ofNullable(trips.await("look for an answer", stored))
                    .flatMap(bytes -> Entry.read(key, bytes))
                    .flatMap(entry -> entry.settled(millis, Duration.ofNanos(time.nanos() - asked)));
        }

        void giveUp() {
            trips.giveUp(left);
            trips.giveUp(stored);
        }
    }
}
