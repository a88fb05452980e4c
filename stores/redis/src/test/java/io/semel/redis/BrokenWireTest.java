// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.semel.Key;
import io.semel.StoreException;
import io.semel.store.Claim;
import io.semel.testkit.fault.Wire;
import io.semel.testkit.fault.Wire.Failure;
import io.semel.testkit.fault.Wire.Moment;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Connections that are cut, or lead into the void, at the worst moment. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenWireTest {

    /** For calls that are to fail, and are repeated until they do not. */
    private static final RedisOptions IMPATIENT = RedisOptions.DEFAULT.withTimeout(Duration.ofMillis(700));

    private final Redis redis = Redis.with();
    private final Wire wire = Wire.to(redis.port());
    private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", wire.port()));
    private final RedisOptions hasty = RedisOptions.DEFAULT.withTimeout(Duration.ofSeconds(2));
    private RedisStore store = RedisStore.on(client, hasty);
    private final RedisStore direct = RedisStore.on(redis.client(), RedisOptions.DEFAULT);
    private final Key key = Trial.key();

    /** Else the failure may strike while Redis still asks for the script. */
    @BeforeAll
    void sendScript() {
        Trial.done(direct);
    }

    @AfterEach
    void closeStore() {
        store.close();
        store = RedisStore.on(client, hasty);
    }

    @AfterAll
    void stop() throws IOException {
        store.close();
        direct.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        wire.close();
        redis.close();
    }

    @Test
    void aClaimThatIsCutOffOnItsWayThrowsAndMayBeRepeated() {
        Key cut = Trial.key();
        wire.failAt("cut-before", Moment.BEFORE, Failure.CUT);

        unknown(() -> Trial.claim(store, cut, "cut-before"));
        assertThat(direct.peek(cut)).isEmpty();
        assertThat(Trial.granted(store, cut, "cut-before").abandoned()).isFalse();
    }

    @Test
    void aClaimWhoseAnswerIsCutOffGetsTheSameGrantWhenRepeated() {
        Key cut = Trial.key();
        wire.failAt("cut-after", Moment.AFTER, Failure.CUT);

        unknown(() -> Trial.claim(store, cut, "cut-after"));
        assertThat(direct.peek(cut)).containsInstanceOf(Claim.Held.class);
        Claim.Granted granted = Trial.granted(store, cut, "cut-after");
        assertThat(granted.abandoned()).isFalse();
        assertThat(direct.look(cut).orElseThrow().fence()).isEqualTo(granted.fence());
    }

    /** Sent again by the client, it would find its own work done and be told that it does not apply. */
    @Test
    void aSettleWhoseAnswerIsCutOffIsUnknownAndNotSentAgain() {
        Key cut = Trial.key();
        long fence = Trial.granted(store, cut, "settler").fence();
        wire.failAt("settler", Moment.AFTER, Failure.CUT);

        unknown(() -> store.settle(cut, "settler", fence, Trial.DONE));
        assertThat(Trial.answer(store, cut)).isEqualTo("done");
    }

    @Test
    void aSettleThatIsCutOffOnItsWayIsUnknownAndMayBeRepeated() {
        Key cut = Trial.key();
        long fence = Trial.granted(store, cut, "unlucky").fence();
        wire.failAt("unlucky", Moment.BEFORE, Failure.CUT);

        unknown(() -> store.settle(cut, "unlucky", fence, Trial.DONE));
        assertThat(store.settle(cut, "unlucky", fence, Trial.DONE)).isTrue();
    }

    @Test
    void aConnectionIntoTheVoidIsGivenUpAndReplaced() {
        Key lost = Trial.key();
        try (RedisStore impatient = RedisStore.on(client, IMPATIENT)) {
            wire.failAt("silenced", Moment.AFTER, Failure.BLACK_HOLE);

            unknown(() -> Trial.claim(impatient, lost, "silenced"));
            assertThat(Trial.claimInTheEnd(impatient, lost, "silenced")).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void anAnswerThatComesTooLateIsNotTakenForTheNextOne() {
        Key late = Trial.key();
        Key other = Trial.done(direct);
        try (RedisStore impatient = RedisStore.on(client, IMPATIENT)) {
            wire.delay(IMPATIENT.client().timeout().multipliedBy(2));
            unknown(() -> Trial.claim(impatient, late, "late"));
            wire.delay(Duration.ZERO);

            Claim told = Trial.claimInTheEnd(impatient, other, "another");
            assertThat(told).isInstanceOf(Claim.Settled.class);
        }
    }

    @Test
    void aServerThatStandsStillIsUnknownAndGoesOnWhenItGoesOn() {
        long fence = Trial.granted(direct, key, "patient").fence();
        try (RedisStore impatient = RedisStore.on(client, IMPATIENT)) {
            redis.pause();
            try {
                unknown(() -> Trial.claim(impatient, key, "waiting"));
                unknown(() -> impatient.settle(key, "patient", fence, Trial.DONE));
            } finally {
                redis.resume();
            }

            Trial.claimInTheEnd(impatient, key, "late");
            // Redis may have read the first one by now or not, so either of them may be the one that applies.
            direct.settle(key, "patient", fence, Trial.DONE);
            assertThat(Trial.answer(direct, key)).isEqualTo("done");
        }
    }

    private static void unknown(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        StoreException thrown = catchThrowableOfType(StoreException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.changedNothing()).isFalse();
    }
}
