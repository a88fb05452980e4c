// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RestoreArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.redis.internal.script.HashedNames;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered in Redis, for how long, and what is not taken for an answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisAnswersTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Key PAYMENT = Key.of("payments/tenant-7", "order-1");
    /** Written for an hour, of a retention of a day; never to change. */
    private static final String FORMAT_1 = "c14101"
            + "de03e08b2e87a562402275e20644266c54a60cd18ec62067a15a2cf1a1ff9275"
            + "000000000036ee81"
            + "000000134743bc00"
            + "00112233445566778899aabbccddeeff"
            + "010064"
            + "6fad5653";

    private final Redis redis = Redis.with();
    private final RedisAnswers answers = RedisAnswers.on(redis.client(), RedisOptions.DEFAULT);
    private final StatefulRedisConnection<byte[], byte[]> connection =
            redis.client().connect(ByteArrayCodec.INSTANCE);

    @AfterAll
    void stop() {
        connection.close();
        answers.close();
        redis.close();
    }

    @Test
    void anAnswerComesBackWithWhatIsLeftOfItsRetention() {
        Key key = remembered(Duration.ofDays(1), HOUR);

        Claim.Settled told = answers.get(key).orElseThrow();

        assertThat(told.fingerprint()).isEqualTo(Trial.ASKED);
        assertThat(told.result()).isEqualTo(Trial.bytes("done"));
        assertThat(told.remaining()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
        redis.elapse(Duration.ofMinutes(30));
        assertThat(answers.get(key).orElseThrow().remaining())
                .isBetween(Duration.ofHours(23), Duration.ofHours(23).plusMinutes(30));
    }

    @Test
    void anUnendingAnswerStaysUnending() {
        Key key = remembered(Retention.FOREVER, HOUR);

        assertThat(answers.get(key).orElseThrow().remaining()).isEqualTo(Retention.FOREVER);
    }

    @Test
    void itIsGoneFromRedisWhenItIsNoLongerFreshOrItsRetentionEnds() {
        Key fresh = remembered(Duration.ofDays(1), Duration.ofMinutes(10));
        Key retained = remembered(Duration.ofMinutes(10), HOUR);

        for (Key key : List.of(fresh, retained)) {
            assertThat(connection.sync().pttl(name(key)))
                    .isBetween(1L, Duration.ofMinutes(10).toMillis());
        }
        redis.elapse(Duration.ofMinutes(11));
        assertThat(answers.getAll(List.of(fresh, retained))).containsExactly(Optional.empty(), Optional.empty());
    }

    @Test
    void whatWasAskedLongAgoIsFreshForLess() {
        Key key = Trial.key();
        long longAgo = System.nanoTime() - Duration.ofMinutes(50).toNanos();
        answers.put(key, settled(Duration.ofDays(1)), HOUR, longAgo);

        assertThat(connection.sync().pttl(name(key)))
                .isBetween(1L, Duration.ofMinutes(10).toMillis());
        assertThat(answers.get(key).orElseThrow().remaining())
                .isBetween(Duration.ofHours(23), Duration.ofHours(23).plusMinutes(10));
        Key late = Trial.key();
        answers.put(late, settled(Duration.ofDays(1)), Duration.ofMinutes(50), longAgo);
        assertThat(connection.sync().exists(name(late))).isZero();
    }

    @Test
    void whatIsForgottenIsNotAnswered() {
        Key key = remembered(HOUR, HOUR);
        answers.forget(key);

        assertThat(answers.get(key)).isEmpty();
    }

    @Test
    void anEntryOfFormat1IsRead() {
        store(PAYMENT, HexFormat.of().parseHex(FORMAT_1));

        Claim.Settled told = answers.get(PAYMENT).orElseThrow();
        assertThat(told.fingerprint()).isEqualTo(new Fingerprint(0x0011223344556677L, 0x8899aabbccddeeffL));
        assertThat(told.result()).isEqualTo(new byte[] {1, 0, 'd'});
        assertThat(told.remaining()).isBetween(Duration.ofHours(23), Duration.ofDays(1));
        assertThat(name(PAYMENT))
                .isEqualTo(HexFormat.of()
                        .parseHex("73656d656c3a616e73776572" + "7b2e" + "de03e08b2e87a562402275e20644266c" + "7d"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 34, 35, 43, 51, 67, 69, 73})
    void anEntryWithAnyByteChangedIsNoAnswer(int at) {
        byte[] entry = HexFormat.of().parseHex(FORMAT_1);
        entry[at] ^= 4;
        store(PAYMENT, entry);

        assertThat(answers.get(PAYMENT)).isEmpty();
    }

    @Test
    void whatSomethingElseWroteIsNoAnswer() {
        Key key = Trial.key();
        for (String foreign : List.of("", "x", "{\"status\":200}", "x".repeat(1000))) {
            store(key, Trial.bytes(foreign));
            assertThat(answers.get(key)).isEmpty();
        }
        byte[] short1 = HexFormat.of().parseHex(FORMAT_1.substring(0, 100));
        store(key, short1);
        assertThat(answers.get(key)).isEmpty();
    }

    @Test
    void whatIsNotEvenAStringCannotBeAskedFor() {
        Key key = Trial.key();
        connection.sync().lpush(name(key), Trial.bytes("x"));
        connection.sync().expire(name(key), 3600);

        assertThatThrownBy(() -> answers.get(key)).isInstanceOf(StoreException.class);
    }

    @Test
    void anEntryOfAnotherKeyIsNoAnswer() {
        Key key = remembered(HOUR, HOUR);
        Key other = Trial.key();
        connection.sync().rename(name(key), name(other));

        assertThat(answers.get(other)).isEmpty();
    }

    /** As somebody does who restores a backup of single keys: for ever, or for longer than they were written for. */
    @Test
    void anEntryRestoredForLongerThanItWasWrittenForIsNoAnswer() {
        Key key = remembered(HOUR, HOUR);
        byte[] dump = connection.sync().dump(name(key));

        connection.sync().restore(name(key), dump, RestoreArgs.Builder.ttl(0).replace());
        assertThat(connection.sync().pttl(name(key))).isEqualTo(-1);
        assertThat(answers.get(key)).isEmpty();
        connection
                .sync()
                .restore(
                        name(key),
                        dump,
                        RestoreArgs.Builder.ttl(Duration.ofHours(2)).replace());
        assertThat(answers.get(key)).isEmpty();
        connection
                .sync()
                .restore(
                        name(key),
                        dump,
                        RestoreArgs.Builder.ttl(Duration.ofMinutes(10)).replace());
        assertThat(answers.get(key).orElseThrow().remaining()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void itKeepsApartFromTheSlotsOfAStoreWithTheSamePrefix() {
        try (RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            long before = store.count().settled();
            Key key = Trial.done(store);
            answers.put(key, settled(HOUR), HOUR, System.nanoTime());

            assertThat(store.count().settled()).isEqualTo(before + 1);
            assertThat(Trial.answer(store, key)).isEqualTo("done");
        }
    }

    private Key remembered(Duration remaining, Duration freshFor) {
        Key key = Trial.key();
        answers.put(key, settled(remaining), freshFor, System.nanoTime());
        return key;
    }

    private void store(Key key, byte[] value) {
        connection.sync().set(name(key), value, SetArgs.Builder.ex(HOUR));
    }

    private static Claim.Settled settled(Duration remaining) {
        return new Claim.Settled(Trial.ASKED, Trial.bytes("done"), remaining);
    }

    private static byte[] name(Key key) {
        return new HashedNames("semel:answer").of(key);
    }
}
