// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Outcome.Reason;
import io.semel.redis.internal.script.HashedNames;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.store.Claim;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is in Redis of a session: read from bytes that stay as they are forever, and expired by Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionStorageTest {

    private static final Session ORDERS =
            new Session(new SessionKey("tenant-7", "till"), Session.Mode.STRICT, 8, Duration.ofSeconds(1));
    /** Until 2126 and kept for longer; mark 5, done up to 5, nine fences, and 3 runs. */
    private static final String SESSION = "c15301" + "4c" + "53" + "00000008" + "00000000000f4240"
            + "0000000000000005" + "0000000000000005" + "0000000000000009" + "0011902d91e96000"
            + "001190aba2bd4000" + "00000001"
            + "0000000000000003" + "0008" + "0004" + "74656e616e742d37" + "74696c6c";

    private static final String RUNNING =
            "52" + "01" + "0000000000000007" + "0011902d91e96000" + "00112233445566778899aabbccddeeff" + "6d65";
    private static final String DONE =
            "44" + "00" + "0000000000000009" + "0000000000000000" + "00112233445566778899aabbccddeeff" + "010064";

    /** Redis counts whole milliseconds, and nothing ends early. */
    private static final Duration AND_A_LEASE = SessionTrial.LEASE.plusMillis(1);

    private final Redis redis = Redis.with();
    private final RedisSessions sessions = RedisSessions.on(redis.client(), RedisOptions.DEFAULT, 10);

    @AfterAll
    void stop() {
        sessions.close();
        redis.close();
    }

    /** One hash in 256 does; a complaint of Redis begins with the same byte. */
    @Test
    void aSessionWhoseHashBeginsWithADashIsCounted() {
        SessionKey dashed = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new SessionKey("tenant-7", "till-" + i))
                .filter(key -> Key.of(key.scope(), key.id()).hash()[0] == '-')
                .findFirst()
                .orElseThrow();
        long before = sessions.countSessions().sessions();
        assertThat(sessions.register(new Session(dashed, Session.Mode.SET, 8, Duration.ofMinutes(1))))
                .isTrue();
        assertThat(sessions.countSessions().sessions()).isEqualTo(before + 1);
        assertThat(sessions.close(dashed)).isTrue();
    }

    @Test
    void aSessionOfFormat1IsRead() {
        redis.askInBytes(commands -> commands.hset(
                name(ORDERS), Map.of(Trial.bytes("s"), hex(SESSION), number(3), hex(RUNNING), number(5), hex(DONE))));

        Claim.Settled settled = (Claim.Settled) SessionTrial.send(sessions, ORDERS, 5, 1);
        assertThat(settled.fingerprint()).isEqualTo(new Fingerprint(0x0011223344556677L, 0x8899aabbccddeeffL));
        assertThat(settled.result()).isEqualTo(new byte[] {1, 0, 'd'});
        assertThat(SessionTrial.send(sessions, ORDERS, 4, 1)).isEqualTo(new Claim.Refused(Reason.STALE));
        assertThat(SessionTrial.send(sessions, ORDERS, 7, 5)).isEqualTo(new Claim.Refused(Reason.OUT_OF_ORDER));
        assertThat(SessionTrial.send(sessions, ORDERS, 13, 5)).isEqualTo(new Claim.Refused(Reason.WINDOW_FULL));
        assertThat(SessionTrial.granted(sessions, ORDERS, 6)).isEqualTo(10);
        assertThat(sessions.settle(ORDERS.key().request(3), "me", 7, Trial.DONE))
                .isTrue();
        byte[] below = redis.askInBytes(commands -> commands.hget(name(ORDERS), number(3)));
        assertThat(below).isNull();
    }

    @Test
    void redisForgetsASessionALeaseAfterItEndsOrTwo() {
        Session session = SessionTrial.registered(sessions);
        assertThat(left(session))
                .isBetween(Duration.ofHours(2), Duration.ofHours(2).plus(AND_A_LEASE));
        redis.elapse(Duration.ofMinutes(30));
        SessionTrial.done(sessions, session, 1, 1);
        assertThat(left(session))
                .isBetween(Duration.ofMinutes(115), Duration.ofHours(2).plus(AND_A_LEASE));

        redis.elapse(Duration.ofMinutes(50));
        SessionTrial.done(sessions, session, 2, 1);
        assertThat(left(session))
                .isBetween(Duration.ofMinutes(115), Duration.ofHours(2).plus(AND_A_LEASE));

        redis.elapse(Duration.ofMinutes(75));
        assertThat(SessionTrial.send(sessions, session, 1, 1)).isEqualTo(new Claim.Refused(Reason.SESSION_EXPIRED));
        assertThat(left(session)).isBetween(Duration.ofMinutes(40), Duration.ofMinutes(46));
        long fields = redis.askInBytes(commands -> commands.hlen(name(session)));
        assertThat(fields).as("only that it was there").isEqualTo(1);

        redis.elapse(Duration.ofHours(1));
        assertThat(SessionTrial.send(sessions, session, 1, 1)).isEqualTo(new Claim.Refused(Reason.SESSION_UNKNOWN));
    }

    @Test
    void whatLapsedBelowTheMarkIsDroppedWhenItMoves() {
        Session session = SessionTrial.registered(sessions);
        SessionTrial.granted(sessions, session, 1);
        SessionTrial.done(sessions, session, 2, 2);
        redis.elapse(Duration.ofMinutes(15));
        SessionTrial.done(sessions, session, 3, 3);

        long fields = redis.askInBytes(commands -> commands.hlen(name(session)));
        assertThat(fields).as("the session and its third request").isEqualTo(2);
    }

    private Duration left(Session session) {
        long millis = redis.askInBytes(commands -> commands.pttl(name(session)));
        return Duration.ofMillis(millis);
    }

    private static byte[] number(int value) {
        return new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) value};
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] name(Session session) {
        return new HashedNames("semel:session")
                .of(Key.of(session.key().scope(), session.key().id()));
    }
}
