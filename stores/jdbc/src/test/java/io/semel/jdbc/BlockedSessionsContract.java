// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Operation;
import io.semel.Outcome;
import io.semel.Retention;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A handler in a joined session keeps the row of its session locked while it runs, which costs no other session anything. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
abstract class BlockedSessionsContract {

    private static final Fingerprint ASKED = Fingerprint.of("asked");
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int SMALL_POOL = 8;
    private static final int WINDOW = 64;

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HikariDataSource pool;

    abstract HikariDataSource newDatabase(String name);

    @BeforeAll
    void createTables() {
        pool = newDatabase("blocked_sessions");
        Schema.createSessions(pool);
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
        pool.close();
    }

    @Test
    void anotherClientsLeaseHoldsAndItsRequestRunsOnce() throws Exception {
        SessionKey blocked = registered();
        SessionKey other = registered();
        Renewals store = new Renewals(leased());
        Engine engine = Engine.on(store).with(Operation.named("pay").lease(LEASE));
        CountDownLatch running = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Future<Outcome<String>> beside =
                threads.submit(() -> run(engine, blocked, 1, running, end, new AtomicInteger()));
        Future<Outcome<String>> mine = threads.submit(() -> run(engine, other, 1, running, end, runs));
        running.await();

        Future<Outcome<String>> duplicate;
        try (Connection handler = transaction()) {
            assertThat(claim(joined(handler), blocked, 2)).isInstanceOf(Claim.Granted.class);
            // Three to a lease, so that by then the first one would be over.
            store.await(4, other.request(1));
            Engine elsewhere = Engine.on(leased()).with(Operation.named("pay").lease(LEASE));
            duplicate = threads.submit(() -> run(elsewhere, other, 1, running, end, runs));
            assertThat(duplicate.get(5, TimeUnit.SECONDS)).isInstanceOf(Outcome.Busy.class);
            end.countDown();
            assertThat(mine.get(5, TimeUnit.SECONDS)).isEqualTo(new Outcome.Done<>("paid", false));
            assertThat(beside.get(5, TimeUnit.SECONDS)).isEqualTo(new Outcome.Done<>("paid", false));
            handler.rollback();
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void leasesInABlockedSessionAreRenewedToo() throws Exception {
        SessionKey blocked = registered();
        SessionKey other = registered();
        SessionStore store = leased();
        long held = granted(claim(store, blocked, 1));
        long others = granted(claim(store, other, 1));
        try (Connection handler = transaction()) {
            assertThat(claim(joined(handler), blocked, 2)).isInstanceOf(Claim.Granted.class);
            Settlement renewed = new Settlement.Renew(MINUTE);
            assertThat(soon(() -> store.settleAll(List.of(
                            new Store.Settling(blocked.request(1), "holder 1", held, renewed),
                            new Store.Settling(other.request(1), "holder 1", others, renewed)))))
                    .containsExactly(true, true);
            assertThat(soon(() -> store.settle(blocked.request(1), "holder 1", held, complete())))
                    .isTrue();
            handler.rollback();
        }
        assertThat(claim(store, blocked, 1)).isInstanceOf(Claim.Settled.class);
    }

    @Test
    void claimsInOtherSessionsDoNotWait() throws Exception {
        SessionKey blocked = registered();
        SessionStore store = leased();
        try (Connection handler = transaction()) {
            assertThat(claim(joined(handler), blocked, 1)).isInstanceOf(Claim.Granted.class);
            Future<Claim> waiting = threads.submit(() -> claim(store, blocked, 2));
            for (int i = 0; i < 20; i++) {
                SessionKey other = registered();
                long fence = granted(soon(() -> claim(store, other, 1)));
                assertThat(soon(() -> store.settle(other.request(1), "holder 1", fence, complete())))
                        .isTrue();
            }
            assertThat(waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(Claim.Held.class);
            handler.commit();
        }
        assertThat(claim(store, blocked, 2)).isInstanceOf(Claim.Granted.class);
    }

    /** Neighbours in the table: some databases lock what is between two rows. */
    @Test
    void joinedSessionsDoNotWaitForEachOther() throws Exception {
        List<Connection> handlers = new ArrayList<>();
        try {
            for (int i = 0; i < SMALL_POOL; i++) {
                SessionKey session = registered();
                Connection handler = transaction();
                handlers.add(handler);
                assertThat(soon(() -> claim(joined(handler), session, 1))).isInstanceOf(Claim.Granted.class);
            }
            for (Connection each : handlers) {
                each.commit();
            }
        } finally {
            for (Connection each : handlers) {
                each.close();
            }
        }
    }

    @Test
    void aClientThatSaysThatItIsThereIsHeardWhileItsSessionIsBlocked() throws Exception {
        Session session = Session.of("somebody").lease(MINUTE);
        assertThat(leased().register(session)).isTrue();
        elapse(Duration.ofSeconds(40));
        try (Connection handler = transaction()) {
            assertThat(claim(joined(handler), session.key(), 1)).isInstanceOf(Claim.Granted.class);
            assertThat(soon(() -> leased().keepAlive(session.key(), 1))).isEqualTo(State.LIVE);
            handler.rollback();
        }
        elapse(Duration.ofSeconds(40));
        assertThat(leased().keepAlive(session.key(), 1)).isEqualTo(State.LIVE);
        elapse(MINUTE);
        assertThat(leased().keepAlive(session.key(), 1)).isEqualTo(State.EXPIRED);
    }

    private void elapse(Duration span) throws SQLException {
        long micros = span.toNanos() / 1000;
        Admin admin = Admin.of(pool);
        admin.execute("UPDATE semel_session SET look = look - " + micros + ", until = until - " + micros);
        admin.execute("UPDATE semel_request SET until = until - " + micros);
    }

    /** As many as the window lets in, with a connection each, while the first of them runs. */
    @Test
    void aWindowOfJoinedRequestsLeavesConnectionsForOthers() throws Exception {
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        config.setMaximumPoolSize(SMALL_POOL);
        config.setMinimumIdle(SMALL_POOL);
        SessionKey blocked = registered();
        try (HikariDataSource small = new HikariDataSource(config);
                Connection handler = small.getConnection()) {
            SessionStore joined = JdbcSessions.joined(CURRENT::get, Dialect.of(handler), 100);
            handler.setAutoCommit(false);
            CURRENT.set(handler);
            assertThat(claim(joined, blocked, 1)).isInstanceOf(Claim.Granted.class);
            List<Future<Claim>> others = new ArrayList<>();
            for (int number = 2; number <= WINDOW; number++) {
                int asked = number;
                others.add(threads.submit(() -> {
                    try (Connection own = small.getConnection()) {
                        own.setAutoCommit(false);
                        CURRENT.set(own);
                        Claim claim = claim(joined, blocked, asked);
                        own.rollback();
                        return claim;
                    } finally {
                        CURRENT.remove();
                    }
                }));
            }
            soon(() -> {
                try (Connection unrelated = small.getConnection()) {
                    return unrelated.isValid(1);
                }
            });
            assertThat(others).anyMatch(Future::isDone);
            handler.commit();
            for (Future<Claim> each : others) {
                assertThat(each.get(20, TimeUnit.SECONDS)).isInstanceOfAny(Claim.Held.class, Claim.Granted.class);
            }
        }
    }

    /** What waited in vain goes on with its own transaction, as it was. */
    @Test
    void aWaitInVainIsAnAnswerAndTheTransactionGoesOn() throws Exception {
        SessionKey blocked = registered();
        try (Connection handler = transaction();
                Connection late = transaction()) {
            assertThat(claim(joined(handler), blocked, 1)).isInstanceOf(Claim.Granted.class);
            assertThat(threads.submit(() -> claim(joined(late), blocked, 2)).get(20, TimeUnit.SECONDS))
                    .isInstanceOf(Claim.Held.class);
            handler.commit();
            assertThat(claim(joined(late), blocked, 2)).isInstanceOf(Claim.Granted.class);
            late.commit();
        }
        assertThat(leased().claim(blocked.call(2, 1, ASKED), "another", MINUTE)).isInstanceOf(Claim.Held.class);
    }

    private Outcome<String> run(
            Engine engine, SessionKey key, int number, CountDownLatch running, CountDownLatch end, AtomicInteger runs)
            throws Exception {
        return engine.run(key.call(number, 1, ASKED), Codec.utf8(), attempt -> {
            runs.incrementAndGet();
            running.countDown();
            end.await();
            return "paid";
        });
    }

    /** Far below the time that anything waits for a lock. */
    private <T> T soon(java.util.concurrent.Callable<T> task) throws Exception {
        return threads.submit(task).get(7, TimeUnit.SECONDS);
    }

    private static Settlement complete() {
        return new Settlement.Complete(new byte[] {1, 2, 3}, Retention.DEFAULT);
    }

    private static Claim claim(SessionStore store, SessionKey session, int number) {
        Call call = session.call(number, 1, ASKED);
        return store.claim(call, "holder " + number, MINUTE);
    }

    private static long granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).fence();
    }

    private SessionKey registered() {
        Session session = Session.of("somebody");
        assertThat(leased().register(session)).isTrue();
        return session.key();
    }

    private SessionStore leased() {
        return JdbcSessions.on(pool, 10_000);
    }

    private static SessionStore joined(Connection connection) throws SQLException {
        return JdbcSessions.joined(() -> connection, Dialect.of(connection), 10_000);
    }

    private Connection transaction() throws SQLException {
        Connection connection = pool.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
