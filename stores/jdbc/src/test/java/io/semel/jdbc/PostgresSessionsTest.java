// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Retention;
import io.semel.session.Session;
import io.semel.session.SessionStore;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PostgresSessionsTest extends JdbcSessionsContract {

    private static final int PROCESSES = 2;
    private static final int THREADS = 8;
    private static final int NUMBERS = 10;
    private static final int SESSIONS = 6;

    @Override
    HikariDataSource newDatabase(String name) {
        return Postgres.newest().newDatabase(name);
    }

    /** Each process carries the requests of its threads together, and meets the other's on every session. */
    @Test
    void processesThatShareSessionsGrantEveryNumberOnce() throws Exception {
        List<Session> sessions = Stream.generate(() -> Session.of("somebody"))
                .limit(SESSIONS)
                .peek(open()::register)
                .toList();
        AtomicInteger grants = new AtomicInteger();
        List<Callable<Void>> clients = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            SessionStore store = open();
            for (int thread = 0; thread < THREADS; thread++) {
                String holder = process + "." + thread;
                clients.add(() -> {
                    for (int number = 1; number <= NUMBERS; number++) {
                        List<Session> shuffled = new ArrayList<>(sessions);
                        Collections.shuffle(shuffled);
                        for (Session each : shuffled) {
                            grants.addAndGet(grant(store, each, number, holder));
                        }
                    }
                    return null;
                });
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            for (Future<Void> each : threads.invokeAll(clients)) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(grants).hasValue(SESSIONS * NUMBERS);
        assertThat(IntStream.rangeClosed(1, NUMBERS))
                .allMatch(number -> open().claim(call(sessions.get(0), number), "late", Duration.ofMinutes(1))
                        instanceof Claim.Settled);
    }

    private static int grant(SessionStore store, Session session, int number, String holder) {
        Call call = call(session, number);
        if (!(store.claim(call, holder, Duration.ofMinutes(1)) instanceof Claim.Granted granted)) {
            return 0;
        }
        byte[] answer = ("answer " + number).getBytes(StandardCharsets.UTF_8);
        Settlement done = new Settlement.Complete(answer, Retention.DEFAULT);
        assertThat(store.settle(call.key(), holder, granted.fence(), done)).isTrue();
        return 1;
    }

    private static Call call(Session session, int number) {
        return session.key().call(number, 1, Fingerprint.of("asked"));
    }
}
