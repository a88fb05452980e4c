// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions that end are found, and those that go on are left. */
class SessionSweepTest {

    private static final Instant BORN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofMinutes(30);
    private static final Duration MORE_THAN_A_DAY = Duration.ofHours(25);

    private final Path directory = Directories.fresh();
    private final ManualTime time = new ManualTime();
    private final RocksStore store =
            new RocksStore(directory, RocksOptions.DEFAULT, time, () -> BORN.plusNanos(time.nanos()));
    private final SessionStore sessions = store.sessions(2);

    @AfterEach
    void clean() {
        store.close();
        Directories.delete(directory);
    }

    @Test
    void whatIsOnlyRememberedMakesNoRoom() {
        Session dead = registered(LEASE);
        time.pause(LEASE);
        assertThat(sessions.keepAlive(dead.key(), 1)).isEqualTo(State.EXPIRED);
        Session one = registered(Duration.ofDays(100));
        registered(Duration.ofDays(100));
        time.pause(MORE_THAN_A_DAY);

        assertThat(sessions.register(Session.of("sweep"))).isFalse();
        assertThat(sessions.countSessions()).isEqualTo(new Counts(2, 0));
        assertThat(sessions.keepAlive(one.key(), 1)).isEqualTo(State.LIVE);
        assertThat(sessions.keepAlive(dead.key(), 1)).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aSessionThatLivesThroughManyPurgesIsPurgedInTheEnd() {
        Session session = registered(LEASE);
        for (int i = 0; i < 5; i++) {
            time.pause(LEASE.dividedBy(2));
            SessionVictim.send(sessions, session, 1, 1);
            time.pause(LEASE.dividedBy(2));
            assertThat(sessions.purge(10)).isZero();
            assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.LIVE);
        }
        time.pause(LEASE.multipliedBy(3).dividedBy(2));
        assertThat(sessions.countSessions()).isEqualTo(new Counts(0, 0));
        assertThat(sessions.purge(10)).isEqualTo(1);
        assertThat(sessions.countSessions()).isEqualTo(new Counts(0, 0, 1));
        assertThat(sessions.purge(10)).isZero();
        assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.EXPIRED);
        time.pause(MORE_THAN_A_DAY);
        assertThat(sessions.purge(10)).isEqualTo(1);
        assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.UNKNOWN);
    }

    @Test
    void aSessionWhoseEndIsNoticedLateIsForgottenToo() {
        Session session = registered(LEASE);
        time.pause(MORE_THAN_A_DAY);
        assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.EXPIRED);
        time.pause(LEASE);

        assertThat(sessions.purge(10)).isEqualTo(1);
        assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.UNKNOWN);
    }

    @Test
    void whatLapsedBelowTheMarkIsDroppedWhenItMoves() {
        Session session = registered(Duration.ofHours(5));
        SessionVictim.granted(sessions, session, 1, 1);
        SessionVictim.granted(sessions, session, 3, 3);
        assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 2));
        time.pause(Duration.ofHours(2));
        assertThat(sessions.keepAlive(session.key(), 3)).isEqualTo(State.LIVE);
        assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 2));

        assertThat(sessions.keepAlive(session.key(), 4)).isEqualTo(State.LIVE);
        assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 0));
        assertThat(SessionVictim.send(sessions, session, 1, 1)).isEqualTo(new Claim.Refused(Reason.STALE));
    }

    private Session registered(Duration lease) {
        Session session = Session.of("sweep").lease(lease);
        assertThat(sessions.register(session)).isTrue();
        return session;
    }
}
