// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.StoreException;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Sessions and keys in one directory. */
class SessionDirectoryTest {

    private final Path directory = Directories.fresh();
    private final Session session = Session.of("here").lease(Duration.ofHours(1));

    @AfterEach
    void clean() {
        Directories.delete(directory);
    }

    @Test
    void aDirectoryFromBeforeThereWereSessionsOpensAsItIs() throws RocksDBException {
        Key key = Victim.key("older");
        try (RocksStore store = RocksStore.open(directory)) {
            assertThat(store.claim(Victim.call(key), "me", Victim.LEASE)).isInstanceOf(Claim.Granted.class);
        }
        dropFamily("sessions");

        try (RocksStore store = RocksStore.open(directory)) {
            assertThat(store.peek(key)).containsInstanceOf(Claim.Held.class);
            assertThat(store.sessions(1).countSessions()).isEqualTo(new Counts(0, 0));
            assertThat(store.sessions(1).register(session)).isTrue();
        }
    }

    private void dropFamily(String name) throws RocksDBException {
        List<ColumnFamilyDescriptor> families = List.of("default", "slots", "index", name).stream()
                .map(each -> new ColumnFamilyDescriptor(each.getBytes(StandardCharsets.UTF_8)))
                .toList();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                RocksDB rocks = RocksDB.open(options, directory.resolve("db").toString(), families, handles)) {
            rocks.dropColumnFamily(handles.get(3));
            handles.forEach(ColumnFamilyHandle::close);
        }
    }

    @Test
    void aSessionIsThereWhenTheStoreIsOpenedAgain() {
        try (RocksStore store = RocksStore.open(directory)) {
            SessionStore sessions = store.sessions(1);
            sessions.register(session);
            SessionVictim.granted(sessions, session, 2, 2);
            assertThat(SessionVictim.complete(sessions, session, 2, 1)).isTrue();
        }
        try (RocksStore store = RocksStore.open(directory)) {
            SessionStore sessions = store.sessions(1);
            assertThat(sessions.level()).isEqualTo(Level.LEASED);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 1));
            assertThat(sessions.register(Session.of("here"))).isFalse();
            assertThat(SessionVictim.send(sessions, session, 1, 1)).isEqualTo(new Claim.Refused(Reason.STALE));
            assertThat(SessionVictim.send(sessions, session, 2, 2)).isInstanceOf(Claim.Settled.class);
            assertThat(((Claim.Granted) SessionVictim.send(sessions, session, 3, 3)).fence())
                    .isEqualTo(2);
        }
    }

    @Test
    void keysAndSessionsDoNotMeet() {
        try (RocksStore store = RocksStore.open(directory)) {
            SessionStore sessions = store.sessions(1);
            sessions.register(session);
            SessionVictim.granted(sessions, session, 1, 1);

            assertThat(store.peek(session.key().request(1))).isEmpty();
            assertThat(store.count().held()).isZero();
            assertThat(store.claim(session.key().call(1, 1, SessionVictim.ASKED), "me", Victim.LEASE))
                    .isInstanceOf(Claim.Granted.class);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 1));
        }
    }

    @Test
    void sessionsOfAClosedStoreSaySo() {
        RocksStore store = RocksStore.open(directory);
        SessionStore sessions = store.sessions(1);
        store.close();

        assertThatThrownBy(() -> sessions.register(session))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> SessionVictim.send(sessions, session, 1, 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(sessions::countSessions).isInstanceOf(StoreException.class);
    }

    @Test
    void aSessionThatIsClosedAndMadeAgainBeginsAnew() {
        try (RocksStore store = RocksStore.open(directory)) {
            SessionStore sessions = store.sessions(1);
            sessions.register(session);
            SessionVictim.granted(sessions, session, 1, 1);
            assertThat(sessions.close(session.key())).isTrue();
            assertThat(sessions.register(session)).isTrue();

            assertThat(sessions.peek(session.key().request(1))).isEmpty();
            SessionVictim.granted(sessions, session, 1, 1);
            assertThat(sessions.keepAlive(session.key(), 1)).isEqualTo(State.LIVE);
            assertThat(sessions.countSessions()).isEqualTo(new Counts(1, 1));
        }
    }
}
