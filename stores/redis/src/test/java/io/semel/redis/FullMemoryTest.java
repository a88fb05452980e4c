// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Key;
import io.semel.Retention;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose memory is full: nothing new begins, everything that began may end. */
class FullMemoryTest {

    private final Redis redis = Redis.with();
    private final RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
    private final Key done = Trial.done(store);
    private final Key key = Trial.key();
    private final long fence = Trial.granted(store, key, "holder").fence();

    @BeforeEach
    void fill() {
        redis.ask(commands -> commands.configSet("maxmemory", "1"));
    }

    @AfterEach
    void stop() {
        store.close();
        redis.close();
    }

    @Test
    void nothingIsGrantedAndNothingChanged() {
        Key fresh = Trial.key();

        StoreException thrown = catchThrowableOfType(StoreException.class, () -> Trial.claim(store, fresh, "another"));
        assertThat(thrown.changedNothing()).isTrue();
        assertThat(thrown).hasMessageContaining("maxmemory");
        assertThat(store.peek(fresh)).isEmpty();
    }

    @Test
    void retriesGetTheirAnswers() {
        assertThat(Trial.answer(store, done)).isEqualTo("done");
    }

    @Test
    void whatWasGrantedMayBeCompleted() {
        assertThat(store.settle(key, "holder", fence, Trial.DONE)).isTrue();
        assertThat(Trial.answer(store, key)).isEqualTo("done");
    }

    @Test
    void whatWasGrantedMayBeCompletedWithALongAnswer() {
        byte[] answer = new byte[100_000];
        Arrays.fill(answer, (byte) 'x');

        assertThat(store.settle(key, "holder", fence, new Settlement.Complete(answer, Retention.DEFAULT)))
                .isTrue();
        assertThat(Trial.answer(store, key)).hasSize(answer.length);
    }

    @Test
    void whatWasGrantedMayBeRenewedRepeatedAndReleased() {
        assertThat(store.settle(key, "holder", fence, new Settlement.Renew(Trial.LEASE)))
                .isTrue();
        assertThat(Trial.claim(store, key, "holder")).isEqualTo(new Claim.Granted(fence, false));
        assertThat(store.settle(key, "holder", fence, new Settlement.Release())).isTrue();
        assertThat(store.peek(key)).isEmpty();
    }
}
