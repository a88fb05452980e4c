// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Attempt;
import io.semel.Engine;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.http.HttpSessions;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.JdbcSessions;
import io.semel.jdbc.Schema;
import io.semel.session.MemorySessions;
import io.semel.session.Session.Mode;
import io.semel.testkit.ManualTime;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases 67 to 84, over the wire. */
@ParameterizedClass
@EnumSource(Container.class)
class SessionTest extends Service {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

    private final ManualTime time = new ManualTime();
    private final MemorySessions sessions = new MemorySessions(2, time);

    SessionTest() {
        filter = offering(HttpSessions.on(sessions).window(4).lease(LEASE));
    }

    @Test
    void case67_anInventedSessionIsUnknownAndNothingRuns() throws Exception {
        assertThat(send(in("invented", 1, 1)).problem()).isEqualTo("session-unknown");
        assertThat(send(at("PUT", "invented")).status()).isEqualTo(404);
        assertThat(effects).hasValue(0);
        assertThat(sessions.countSessions().sessions()).isZero();
    }

    @Test
    void case68_theFirstAnswerIsReplayedAsItWas() throws Exception {
        String id = register();
        Got first = send(in(id, 1, 1));
        Got retry = send(in(id, 1, 1));

        assertThat(first.replayed()).isFalse();
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.header("Location")).isEqualTo("/payments/1");
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases69and70_numbersMayOvertakeEachOther() throws Exception {
        String id = register();

        assertThat(send(in(id, 3, 1)).text()).isEqualTo("payment 1");
        assertThat(send(in(id, 2, 1)).text()).isEqualTo("payment 2");
        assertThat(send(in(id, 3, 1)).text()).isEqualTo("payment 1");
        assertThat(send(in(id, 2, 1)).text()).isEqualTo("payment 2");
    }

    @Test
    void case71_whereOrderIsDemandedAGapIsRefused() throws Exception {
        filter = offering(HttpSessions.on(sessions).mode(Mode.STRICT));
        String id = register();

        assertThat(send(in(id, 2, 1)).problem()).isEqualTo("session-out-of-order");
        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
        assertThat(send(in(id, 2, 1)).status()).isEqualTo(201);
    }

    @Test
    void cases72to75_whatWasReceivedIsStaleAndTheSurplusIsRefused() throws Exception {
        String id = register();
        send(in(id, 5, 5));

        assertThat(send(in(id, 3, 1)).problem()).isEqualTo("session-stale");
        assertThat(send(in(id, 9, 5)).problem()).isEqualTo("session-window-full");
        assertThat(send(in(id, 5, 5)).replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases76and77_aRefusalIsReplayedAndAFailureRunsAgain() throws Exception {
        String id = register();
        handler = answering(422);
        send(in(id, 1, 1));
        assertThat(send(in(id, 1, 1)).text()).isEqualTo("run 1");

        handler = answering(500);
        send(in(id, 2, 1));
        assertThat(send(in(id, 2, 1)).text()).isEqualTo("run 3");
    }

    @Test
    void case78_aDuplicateOfARunningRequestIsToldToWait() throws Exception {
        String id = register();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        handler = (request, response) -> {
            running.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            charge(request, response);
        };
        try (Client.Line line = client().open()) {
            line.write(in(id, 1, 1).bytes());
            running.await();

            assertThat(send(in(id, 1, 1)).problem()).isEqualTo("in-progress");
            assertThat(send(in(id, 1, 1).body("{}")).problem()).isEqualTo("key-reused");
            mayEnd.countDown();
            assertThat(line.read().status()).isEqualTo(201);
        }
        assertThat(send(in(id, 1, 1)).replayed()).isTrue();
        assertThat(effects).hasValue(1);
    }

    @Test
    void cases79and80_aSessionLivesByKeepAlivesAndEndsBySilence() throws Exception {
        String id = register();
        for (int i = 0; i < 6; i++) {
            time.advance(LEASE.dividedBy(2));
            assertThat(send(at("PUT", id)).text()).isEqualTo("{\"id\":\"" + id + "\",\"leaseMillis\":60000}");
        }
        time.advance(LEASE);

        assertThat(send(in(id, 1, 1)).problem()).isEqualTo("session-expired");
        assertThat(send(at("PUT", id)).problem()).isEqualTo("session-expired");
        assertThat(register()).isNotEqualTo(id);
        assertThat(effects).hasValue(0);
    }

    @Test
    void case82_anAnswerOutlivesTheNodeThatGaveIt() throws Exception {
        Schema.createSessions(Till.POOL);
        filter = offering(HttpSessions.on(JdbcSessions.on(Till.POOL, 1000)));
        String id = register();
        Got first = send(in(id, 7, 7));

        filter = offering(HttpSessions.on(JdbcSessions.on(Till.POOL, 1000)));
        Got retry = send(in(id, 7, 7));
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.body()).isEqualTo(first.body());
        assertThat(send(in(id, 6, 6)).problem()).isEqualTo("session-stale");
        assertThat(effects).hasValue(1);
    }

    @Test
    void case84_aClosedSessionIsUnknown() throws Exception {
        String id = register();
        send(in(id, 1, 1));

        assertThat(send(at("DELETE", id)).status()).isEqualTo(204);
        assertThat(send(in(id, 1, 1)).problem()).isEqualTo("session-unknown");
        assertThat(send(at("DELETE", id)).problem()).isEqualTo("session-unknown");
    }

    @Test
    void aSessionIsRegisteredAtItsPathAndRefusedWhereThereAreTooMany() throws Exception {
        Got registered = send(Sent.post("/.semel/sessions"));

        assertThat(registered.status()).isEqualTo(201);
        assertThat(registered.header("Content-Type")).startsWith("application/json");
        assertThat(registered.text()).endsWith(",\"leaseMillis\":60000,\"window\":4,\"mode\":\"set\"}");
        assertThat(registered.header("Location")).isEqualTo("/.semel/sessions/" + id(registered));
        register();
        Got full = send(Sent.post("/.semel/sessions").body("{}"));
        assertThat(full.problem()).isEqualTo("sessions-full");
        assertThat(full.header("Retry-After")).isEqualTo("1");
        assertThat(effects).hasValue(0);
    }

    @Test
    void aSessionOfSomebodyElseIsUnknown() throws Exception {
        String id = register();
        send(in(id, 1, 1));

        for (Sent sent : List.of(in(id, 1, 1), at("PUT", id), at("DELETE", id))) {
            assertThat(send(sent.user("mallory")).problem()).isEqualTo("session-unknown");
        }
        assertThat(send(in(id, 1, 1)).replayed()).isTrue();
    }

    @Test
    void whatMakesNoSenseIsRefusedAndNothingRuns() throws Exception {
        String id = register();
        List<Sent> malformed = List.of(
                Sent.post("/payments").header("Semel-Session", id),
                in(id, 1, 2),
                in(id, 0, 0),
                in(id, Long.MAX_VALUE, 1),
                in(id, 1, 1).header("Semel-Request", "1"),
                in(id, 1, 1).key(key));
        for (Sent sent : malformed) {
            assertThat(send(sent).problem()).isEqualTo("malformed-session");
        }
        assertThat(effects).hasValue(0);
    }

    @Test
    void whereTheStoreIsAwayNothingRuns() throws Exception {
        Schema.createSessions(Till.POOL);
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:till;DB_CLOSE_DELAY=-1", "sa", "");
        filter = offering(HttpSessions.on(JdbcSessions.on(pool, 1000)));
        String id = register();
        pool.dispose();

        for (Sent sent : List.of(Sent.post("/.semel/sessions"), at("PUT", id), at("DELETE", id), in(id, 1, 1))) {
            Got got = send(sent);
            assertThat(got.problem()).isEqualTo("store-unavailable");
            assertThat(got.header("Retry-After")).isEqualTo("1");
        }
        assertThat(effects).hasValue(0);
    }

    @Test
    void effectAndAnswerAndMarkCommitInTheTransactionAroundTheRequest() throws Exception {
        Schema.createSessions(Till.POOL);
        Engine joined = Engine.on(JdbcSessions.joined(CURRENT::get, Dialect.H2, 1000));
        filter = offering(HttpSessions.on(JdbcSessions.on(Till.POOL, 1000), joined))
                .around(this::inTransaction);
        String id = register();
        handler = (request, response) -> {
            Till.pay(CURRENT.get(), attempt(request).key().id());
            response.setStatus(effects.incrementAndGet() == 1 ? 503 : 201);
        };

        assertThat(send(in(id, 1, 1)).status()).isEqualTo(503);
        assertThat(Till.payments(id + "/1")).isZero();
        assertThat(send(in(id, 1, 1)).status()).isEqualTo(201);
        assertThat(send(in(id, 1, 1)).replayed()).isTrue();
        assertThat(Till.payments(id + "/1")).isEqualTo(1);
        assertThat(send(in(id, 9, 9)).status()).isEqualTo(201);
        assertThat(send(in(id, 80, 17)).status()).isEqualTo(201);
        assertThat(send(in(id, 9, 9)).problem()).isEqualTo("session-stale");
    }

    @Test
    void alsoARequestThatIsRefusedMovesTheMarkInItsTransaction() throws Exception {
        Schema.createSessions(Till.POOL);
        Engine joined = Engine.on(JdbcSessions.joined(CURRENT::get, Dialect.H2, 1000));
        filter = offering(HttpSessions.on(JdbcSessions.on(Till.POOL, 1000), joined))
                .around(this::inTransaction);
        String id = register();
        send(in(id, 1, 1));

        assertThat(send(in(id, 100, 2)).problem()).isEqualTo("session-window-full");
        assertThat(send(in(id, 1, 1)).problem()).isEqualTo("session-stale");
    }

    private void inTransaction(HttpServletRequest request, Around.Invocation invocation)
            throws IOException, ServletException {
        try (Connection connection = Till.POOL.getConnection()) {
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            Around.Verdict verdict = Around.Verdict.ROLL_BACK;
            try {
                verdict = invocation.proceed();
            } finally {
                CURRENT.remove();
                if (verdict == Around.Verdict.COMMIT) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private IdempotencyFilter offering(HttpSessions offered) {
        HttpIdempotency door = HttpIdempotency.on(Engine.on(store).with(PAYMENTS), HttpRules.standard());
        return IdempotencyFilter.on(door.sessions(offered), request -> {
            String name = request.getHeader("X-User");
            return Caller.of(name == null ? "alice" : name);
        });
    }

    private String register() throws IOException {
        return id(send(Sent.post("/.semel/sessions")));
    }

    private static String id(Got registered) {
        return registered.text().substring(7, registered.text().indexOf("\",\"leaseMillis"));
    }

    private static Sent at(String method, String id) {
        return Sent.of(method, "/.semel/sessions/" + id);
    }

    private static Sent in(String id, long number, long firstOutstanding) {
        return Sent.post("/payments")
                .json("{\"orderId\":\"17\"}")
                .header("Semel-Session", id)
                .header("Semel-Request", Long.toString(number))
                .header("Semel-First-Outstanding", Long.toString(firstOutstanding));
    }

    private static Attempt attempt(HttpServletRequest request) {
        return (Attempt) request.getAttribute(IdempotencyFilter.ATTEMPT);
    }
}
