// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A process whose threads each carry out the requests of a session, and say what was acknowledged, until it is killed. */
final class SessionVictim {

    static final Fingerprint ASKED = Fingerprint.none();
    static final int BEHIND = 4;

    private static final Duration LEASE = Duration.ofHours(1);
    private static final int CALLERS = 6;

    public static void main(String[] args) {
        RocksStore store = RocksStore.open(Path.of(args[0]));
        SessionStore sessions = store.sessions(1_000);
        for (int i = 0; i < CALLERS; i++) {
            new Thread(() -> work(sessions)).start();
        }
        // Sessions that come and go, so that the end of one is killed too.
        new Thread(() -> comeAndGo(sessions)).start();
    }

    private static void work(SessionStore sessions) {
        Session session = terms();
        if (!sessions.register(session)) {
            throw new IllegalStateException("there is no room");
        }
        String id = session.key().id();
        say("registered " + id + " 0");
        for (long number = 1; ; number++) {
            long mark = Math.max(1, number - BEHIND);
            say("sends " + id + " " + number);
            long fence = granted(sessions, session, number, mark);
            say("claimed " + id + " " + number);
            if (complete(sessions, session, number, fence)) {
                say("settled " + id + " " + number);
            }
        }
    }

    private static void comeAndGo(SessionStore sessions) {
        while (true) {
            Session session = terms();
            sessions.register(session);
            granted(sessions, session, 1, 1);
            if (sessions.close(session.key())) {
                say("closed " + session.key().id() + " 1");
            }
        }
    }

    private static Session terms() {
        return Session.of("victim").window(BEHIND + 1).lease(LEASE);
    }

    static Session named(String id) {
        return new Session(new SessionKey("victim", id), Session.Mode.SET, BEHIND + 1, LEASE);
    }

    static Claim send(SessionStore sessions, Session session, long number, long mark) {
        return sessions.claim(session.key().call(number, mark, ASKED), "retry", LEASE);
    }

    static long granted(SessionStore sessions, Session session, long number, long mark) {
        Claim claim = sessions.claim(session.key().call(number, mark, ASKED), "victim", LEASE);
        return ((Claim.Granted) claim).fence();
    }

    static boolean complete(SessionStore sessions, Session session, long number, long fence) {
        Settlement done = new Settlement.Complete(answer(number), Retention.DEFAULT);
        return sessions.settle(session.key().request(number), "victim", fence, done);
    }

    static byte[] answer(long number) {
        return ("answer to " + number).getBytes(StandardCharsets.UTF_8);
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        // Else it would live on when the test that is to kill it was killed itself.
        if (System.out.checkError()) {
            Runtime.getRuntime().halt(1);
        }
    }

    private SessionVictim() {}
}
