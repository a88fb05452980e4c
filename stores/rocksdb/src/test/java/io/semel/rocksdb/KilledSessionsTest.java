// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Outcome.Reason;
import io.semel.rocksdb.internal.database.Database;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksIterator;

/** A process is killed at random points: sessions, answers and marks that were acknowledged are all there (S11, N5, N6). */
class KilledSessionsTest {

    /** For long runs: -Dtest.jvm.more=-Dsemel.kill.rounds=1000 */
    private static final int ROUNDS = Integer.getInteger("semel.kill.rounds", 4);

    private final Path directory = Directories.fresh();
    private final Random random = new Random();
    private final Map<String, Heard> sessions = new HashMap<>();
    private final Set<String> closed = new HashSet<>();

    @Test
    void whatWasAcknowledgedSurvivesEveryKill() {
        for (int round = 0; round < ROUNDS; round++) {
            liveAndDie(random.nextInt(400)).forEach(this::note);
            try (RocksStore store = RocksStore.open(directory)) {
                SessionStore all = store.sessions(1_000);
                sessions.forEach((id, heard) -> heard.check(all, SessionVictim.named(id)));
                closed.forEach(id -> expectUnknown(all, SessionVictim.named(id)));
                assertThat(all.countSessions()).isEqualTo(store.read(KilledSessionsTest::count));
            }
        }
        assertThat(sessions.values()).anyMatch(heard -> heard.settled > SessionVictim.BEHIND);
        Directories.delete(directory);
    }

    private List<String> liveAndDie(int lines) {
        List<String> said = new ArrayList<>();
        try (Child child = new Child(SessionVictim.class, directory)) {
            for (int i = 0; i <= lines; i++) {
                said.add(child.hear());
            }
            said.addAll(child.kill());
        }
        return said;
    }

    private void note(String line) {
        String[] words = line.split(" ", -1);
        long number = Long.parseLong(words[2]);
        switch (words[0]) {
            case "closed" -> closed.add(words[1]);
            case "registered" -> sessions.put(words[1], new Heard());
            case "sends" -> sessions.get(words[1]).sent = number;
            case "claimed" -> sessions.get(words[1]).claimed = number;
            case "settled" -> sessions.get(words[1]).settled = number;
            default -> throw new AssertionError(line);
        }
    }

    private static void expectUnknown(SessionStore all, Session session) {
        assertThat(SessionVictim.send(all, session, 1, 1)).isEqualTo(new Claim.Refused(Reason.SESSION_UNKNOWN));
    }

    /** One by one, as they are stored. */
    private static Counts count(Database database) {
        long[] kinds = new long[5];
        try (RocksIterator entries = database.sessionEntries()) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                kinds[entries.key()[0]]++;
            }
        }
        assertThat(kinds[3]).as("every session is listed once").isEqualTo(kinds[1]);
        assertThat(kinds[4]).as("every session is found by its scope").isEqualTo(kinds[1]);
        return new Counts(kinds[1], kinds[2]);
    }

    /** The last numbers that a session was heard to send, to be granted and to have settled. */
    private static final class Heard {

        private long sent;
        private long claimed;
        private long settled;

        void check(SessionStore all, Session session) {
            assertThat(all.keepAlive(session.key(), 1)).isEqualTo(State.LIVE);
            long sure = Math.max(1, claimed - SessionVictim.BEHIND);
            long possible = Math.max(1, sent - SessionVictim.BEHIND);
            for (long number = 1; number < sure; number += Math.max(1, sure - number - 1)) {
                assertThat(SessionVictim.send(all, session, number, 1)).isEqualTo(new Claim.Refused(Reason.STALE));
            }
            for (long number = possible; number <= settled; number++) {
                Claim.Settled replayed = (Claim.Settled) SessionVictim.send(all, session, number, 1);
                assertThat(replayed.result()).isEqualTo(SessionVictim.answer(number));
            }
            for (long number = Math.max(possible, settled + 1); number <= claimed; number++) {
                assertThat(SessionVictim.send(all, session, number, 1))
                        .isInstanceOfAny(Claim.Held.class, Claim.Settled.class);
            }
        }
    }
}
