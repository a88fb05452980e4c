// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Slot;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is in Redis: read from bytes that stay as they are forever, expired by Redis, and small. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatTest {

    private static final Key PAYMENT = Key.of("payments/tenant-7", "order-1");
    private static final String HASH = "de03e08b2e87a562402275e20644266c";
    /** Settled in 2026 for a hundred years, with the fence 1790000000000000, by the second attempt. */
    private static final String SETTLED = "c101" + "53" + "0011902d91e96000" + "00065bfeda25e000" + "0011902d91e96000"
            + "0002" + "00112233445566778899aabbccddeeff" + "00065bfeda25e000" + "00110007"
            + "7061796d656e74732f74656e616e742d37" + "6f726465722d31" + "010064";

    private final Redis redis = Redis.with();
    private final RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
    private final StatefulRedisConnection<byte[], byte[]> connection =
            redis.client().connect(ByteArrayCodec.INSTANCE);

    @AfterAll
    void stop() {
        connection.close();
        store.close();
        redis.close();
    }

    @Test
    void aRowOfFormat1IsRead() {
        byte[] name = HexFormat.of().parseHex("73656d656c3a" + "7b64657d" + HASH);
        assertThat(name(PAYMENT)).isEqualTo(name);
        connection.sync().set(name, HexFormat.of().parseHex(SETTLED));

        Slot slot = store.look(PAYMENT).orElseThrow();
        assertThat(slot.key()).isEqualTo(PAYMENT);
        assertThat(slot.state()).isEqualTo(Slot.State.SETTLED);
        assertThat(slot.fence()).isEqualTo(1_790_000_000_000_000L);
        assertThat(slot.attempts()).isEqualTo(2);
        assertThat(slot.fingerprint()).isEqualTo(new Fingerprint(0x0011223344556677L, 0x8899aabbccddeeffL));
        assertThat(slot.result()).isEqualTo(new byte[] {1, 0, 'd'});
    }

    @Test
    void whatIsSettledIsForgottenByRedisItself() {
        Key key = Trial.done(store);

        assertThat(connection.sync().pttl(name(key)))
                .isBetween(Duration.ofHours(47).toMillis(), Duration.ofHours(48).toMillis() + 1);
    }

    @Test
    void aLongAnswerIsDroppedByRedisWhenItsRetentionEnds() {
        Key key = Trial.key();
        byte[] answer = answer(5000);
        complete(key, answer, Retention.DEFAULT);

        byte[] apart = apart(key);
        assertThat(connection.sync().strlen(apart)).isEqualTo(answer.length);
        assertThat(connection.sync().pttl(apart))
                .isBetween(Duration.ofHours(23).toMillis(), Duration.ofHours(24).toMillis() + 1);
        assertThat(connection.sync().strlen(name(key))).isLessThan(100);
        assertThat(((Claim.Settled) Trial.claim(store, key, "retry")).result()).isEqualTo(answer);
    }

    @Test
    void aLongAnswerThatIsMissingIsGoneAndNotRunAgain() {
        Key key = Trial.key();
        complete(key, answer(5000), Retention.DEFAULT);
        byte[] apart = apart(key);
        connection.sync().del(apart);

        Claim.Settled told = (Claim.Settled) Trial.claim(store, key, "retry");
        assertThat(told.result()).isNull();
        assertThat(told.remaining()).isBetween(Duration.ofHours(47), Duration.ofHours(48));
    }

    @Test
    void aLongAnswerMayBeAmended() {
        Key key = Trial.key();
        byte[] answer = answer(5000);
        complete(key, answer, Retention.DEFAULT);

        assertThat(store.amend(key, answer(5001), Trial.DONE)).isFalse();
        assertThat(store.amend(key, answer, Trial.DONE)).isTrue();
        assertThat(Trial.answer(store, key)).isEqualTo("done");
    }

    @Test
    void aClaimIsNeverForgottenByRedisItself() {
        Key key = Trial.key();
        Trial.granted(store, key, "holder");

        assertThat(connection.sync().pttl(name(key))).isEqualTo(-1);
    }

    @Test
    void theFenceRisesAlsoWhenTheClockWasSetBackAfterARelease() {
        Key key = Trial.key();
        long fence = Trial.granted(store, key, "holder").fence();
        assertThat(store.settle(key, "holder", fence, new Settlement.Release())).isTrue();
        long ahead = fence + Duration.ofHours(1).toNanos() / 1000;
        byte[] row = connection.sync().get(name(key));
        java.nio.ByteBuffer.wrap(row).putLong(45, ahead);
        connection.sync().set(name(key), row);

        assertThat(Trial.granted(store, key, "another").fence()).isEqualTo(ahead + 1);
    }

    @Test
    void aSettledKeyTakesAtMost200BytesBesideItsAnswer() {
        Key key = Key.of("payments/tenant-7", "0198c5a2-7d4e-7c39-9f7e-3a1f6f1c2b4d");
        for (int size : List.of(10, 100, 200, 300)) {
            byte[] result = answer(size);
            complete(key, result, Retention.DEFAULT);

            assertThat(connection.sync().memoryUsage(name(key))).isLessThanOrEqualTo(200 + size);
            store.amend(key, result, new Settlement.Release());
        }
    }

    private void complete(Key key, byte[] answer, Retention retention) {
        long fence = Trial.granted(store, key, "holder").fence();
        assertThat(store.settle(key, "holder", fence, new Settlement.Complete(answer, retention)))
                .isTrue();
    }

    private static byte[] answer(int size) {
        byte[] answer = new byte[size];
        Arrays.fill(answer, (byte) 7);
        return answer;
    }

    private static byte[] apart(Key key) {
        return java.nio.ByteBuffer.allocate(28)
                .put(name(key))
                .put(Trial.bytes(":a"))
                .array();
    }

    private static byte[] name(Key key) {
        return new SlotNames("semel:").of(key);
    }
}
