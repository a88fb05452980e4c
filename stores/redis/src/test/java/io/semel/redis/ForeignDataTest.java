// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.semel.Key;
import io.semel.StoreException;
import io.semel.redis.internal.script.SlotNames;
import io.semel.store.Inspectable.View;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others keep in the same Redis. */
class ForeignDataTest {

    @Test
    void dataOfSomebodyElseIsRefusedAndLeftAlone() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key text = Trial.key();
            Key list = Trial.key();
            byte[] foreign = Trial.bytes("a text of somebody else, longer than the head of a row is");
            redis.askInBytes(commands -> commands.set(name(text), foreign));
            redis.askInBytes(commands -> commands.rpush(name(list), foreign, foreign));

            for (Key key : new Key[] {text, list}) {
                refused(() -> Trial.claim(store, key, "holder"));
                refused(() -> store.settle(key, "holder", 1, Trial.DONE));
                refused(() -> store.peek(key));
                refused(() -> store.amend(key, new byte[0], Trial.DONE));
            }
            refused(() -> store.page(View.OLDEST, null, 10));
            refused(store::count);
            byte[] kept = redis.askInBytes(commands -> commands.get(name(text)));
            long length = redis.askInBytes(commands -> commands.llen(name(list)));
            assertThat(kept).isEqualTo(foreign);
            assertThat(length).isEqualTo(2);
        }
    }

    @Test
    void dataOfANewerFormatIsRefused() {
        try (Redis redis = Redis.with();
                RedisStore store = RedisStore.on(redis.client(), RedisOptions.DEFAULT)) {
            Key key = Trial.done(store);
            redis.askInBytes(commands -> commands.setrange(name(key), 1, new byte[] {2}));

            refused(() -> Trial.claim(store, key, "holder"));
            refused(() -> store.look(key));
        }
    }

    @Test
    void servicesWithPrefixesOfTheirOwnDoNotMeet() {
        try (Redis redis = Redis.with();
                RedisStore orders = RedisStore.on(redis.client(), RedisOptions.DEFAULT.withPrefix("semel:"));
                RedisStore nested = RedisStore.on(redis.client(), RedisOptions.DEFAULT.withPrefix("semel:[*]:"))) {
            Key key = Trial.done(orders);

            assertThat(nested.peek(key)).isEmpty();
            Trial.granted(nested, key, "holder");
            assertThat(orders.count().settled()).isEqualTo(1);
            assertThat(orders.count().held()).isZero();
            assertThat(nested.count().held()).isEqualTo(1);
            assertThat(nested.count().settled()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{payments}:", "payments{}", "}"})
    void aPrefixIsNotEmptyAndHasNoBraces(String prefix) {
        assertThatThrownBy(() -> RedisOptions.DEFAULT.withPrefix(prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix");
    }

    private static byte[] name(Key key) {
        return new SlotNames("semel:").of(key);
    }

    private static void refused(ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.changedNothing()).isTrue();
        assertThat(thrown).hasMessageContaining("prefix");
    }
}
