// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Attempt;
import io.semel.http.HttpRules;
import io.semel.http.Streaming;
import io.semel.jdbc.Dialect;
import io.semel.jdbc.JoinedStore;
import io.semel.store.Store;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction that somebody else begins and commits around the request, as Spring does. */
@ParameterizedClass
@EnumSource(Container.class)
class AroundTest extends JoinedContract {

    private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();
    private volatile boolean mayBegin = true;
    private volatile boolean mayCommit = true;
    private volatile boolean looksAgain;
    private volatile Runnable beforeLooking = () -> {};

    @Override
    Store joined() {
        return JoinedStore.on(CURRENT::get, Dialect.H2);
    }

    @Override
    Connection connection(Attempt attempt) {
        return CURRENT.get();
    }

    @Override
    IdempotencyFilter surrounded(IdempotencyFilter plain) {
        return plain.around(this::inTransaction);
    }

    private void inTransaction(HttpServletRequest request, Around.Invocation invocation)
            throws IOException, ServletException {
        if (!mayBegin) {
            throw new IllegalStateException("the pool is empty");
        }
        try {
            once(invocation);
        } catch (SQLException e) {
            if (looksAgain) {
                beforeLooking.run();
                again(invocation);
            }
            throw new IllegalStateException(e);
        }
    }

    private void again(Around.Invocation invocation) throws IOException, ServletException {
        try {
            once(invocation);
        } catch (SQLException e) {
            throw new AssertionError("There is nothing to commit.", e);
        }
    }

    private void once(Around.Invocation invocation) throws IOException, ServletException, SQLException {
        try (Connection connection = Till.POOL.getConnection()) {
            connection.setAutoCommit(false);
            CURRENT.set(connection);
            Around.Verdict verdict = Around.Verdict.ROLL_BACK;
            try {
                verdict = invocation.proceed();
            } finally {
                CURRENT.remove();
                end(connection, verdict);
            }
        }
    }

    private void end(Connection connection, Around.Verdict verdict) throws SQLException {
        if (verdict == Around.Verdict.COMMIT && mayCommit) {
            connection.commit();
        } else {
            connection.rollback();
        }
        if (verdict == Around.Verdict.COMMIT && !mayCommit) {
            throw new SQLException("commit refused");
        }
    }

    @Test
    void anAnswerIsNotSentWhereTheCommitFailed() throws Exception {
        mayCommit = false;
        Got first = send(pay());

        assertThat(first.problem()).isEqualTo("outcome-unknown");
        assertThat(first.header("Retry-After")).isEqualTo("1");
        assertThat(first.text()).doesNotContain("paid 1");
        assertThat(Till.payments(key)).isZero();
        mayCommit = true;
        assertThat(send(pay()).text()).isEqualTo("paid 2");
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void afterAFailedCommitTheAnswerThatAnotherHasCommittedIsSent() throws Exception {
        mayCommit = false;
        looksAgain = true;
        Got[] winner = new Got[1];
        beforeLooking = () -> {
            beforeLooking = () -> {};
            mayCommit = true;
            winner[0] = sendUnchecked(pay());
        };
        handler = (request, response) -> {
            response.setHeader("Location", "/" + effects.get());
            paying(effects.get() == 0 ? 202 : 201).handle(request, response);
        };

        Got loser = send(pay());

        assertThat(winner[0].text()).isEqualTo("paid 2");
        assertThat(loser.status()).isEqualTo(201);
        assertThat(loser.text()).isEqualTo("paid 2");
        assertThat(loser.replayed()).isTrue();
        assertThat(loser.headers("Location")).containsExactly("/1");
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void afterAFailedCommitLookingAgainRunsNothing() throws Exception {
        mayCommit = false;
        looksAgain = true;

        assertThat(send(pay()).problem()).isEqualTo("outcome-unknown");
        assertThat(effects).hasValue(1);
        mayCommit = true;
        assertThat(send(pay()).text()).isEqualTo("paid 2");
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void aRequestThatWasRefusedStaysSoHoweverOftenItPasses() throws Exception {
        filter = joinedFilter(PAYMENTS, HttpRules.standard().largestBody(3)).around((request, invocation) -> {
            assertThat(invocation.proceed()).isEqualTo(Around.Verdict.ROLL_BACK);
            assertThat(invocation.proceed()).isEqualTo(Around.Verdict.ROLL_BACK);
        });

        assertThat(send(pay().inChunks()).problem()).isEqualTo("body-too-large");
        assertThat(effects).hasValue(0);
    }

    private Got sendUnchecked(Sent sent) {
        try {
            return send(sent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nothingRunsWhereThereIsNoTransactionToBeHad() throws Exception {
        mayBegin = false;

        Got refused = send(pay());

        assertThat(refused.problem()).isEqualTo("store-unavailable");
        assertThat(effects).hasValue(0);
    }

    @Test
    void aRequestInATransactionCannotBeAsynchronousAndAskingRollsItBack() throws Exception {
        handler = (request, response) -> {
            payInTransaction(request);
            assertThat(request.isAsyncSupported()).isFalse();
            request.startAsync();
        };

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(Till.payments(key)).isZero();
    }

    @Test
    void aStreamCannotBeSentBeforeTheCommitSoItIsRefusedEvenWhereStreamsPass() throws Exception {
        filter = joinedFilter(PAYMENTS).streaming(Streaming.PASS);
        handler = (request, response) -> {
            payInTransaction(request);
            response.setContentType("text/event-stream");
            response.getOutputStream().print("data: x");
        };

        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(Till.payments(key)).isZero();
    }

    @Test
    void withoutAKeyNothingIsAroundARequest() throws Exception {
        mayBegin = false;
        handler = this::charge;

        assertThat(send(Sent.post("/payments")).status()).isEqualTo(201);
    }
}
