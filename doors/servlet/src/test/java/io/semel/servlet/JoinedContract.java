// SPDX-License-Identifier: Apache-2.0
package io.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.Attempt;
import io.semel.Engine;
import io.semel.Level;
import io.semel.Operation;
import io.semel.http.Caller;
import io.semel.http.HttpIdempotency;
import io.semel.http.HttpRules;
import io.semel.store.Store;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cases 45 to 47 of the profile: record and effect commit together, and before the first byte. */
abstract class JoinedContract extends Service {

    private final List<String> seenAtFirstByte = new ArrayList<>();

    abstract Store joined();

    /** The connection of the transaction in which the handler runs. */
    abstract Connection connection(Attempt attempt);

    abstract IdempotencyFilter surrounded(IdempotencyFilter plain);

    @BeforeEach
    void join() {
        filter = joinedFilter(PAYMENTS.demand(Level.JOINED));
        handler = paying(201);
        front = (request, response, chain) -> chain.doFilter(request, new FirstByte((HttpServletResponse) response));
    }

    IdempotencyFilter joinedFilter(Operation operation) {
        return joinedFilter(operation, HttpRules.standard());
    }

    IdempotencyFilter joinedFilter(Operation operation, HttpRules rules) {
        Engine engine = Engine.on(joined()).withListener(events::add).with(operation);
        return surrounded(IdempotencyFilter.on(HttpIdempotency.on(engine, rules), request -> Caller.of("alice")));
    }

    Handler paying(int status) {
        return (request, response) -> {
            payInTransaction(request);
            response.setStatus(status);
            response.getOutputStream().print("paid " + effects.incrementAndGet());
        };
    }

    void payInTransaction(HttpServletRequest request) {
        Attempt attempt = (Attempt) request.getAttribute(IdempotencyFilter.ATTEMPT);
        Till.pay(connection(attempt), attempt.key().id());
    }

    @Test
    void recordAndEffectAreCommittedWhenTheFirstByteIsSent() throws Exception {
        assertThat(send(pay()).text()).isEqualTo("paid 1");

        assertThat(seenAtFirstByte).containsExactly("1 payment, 1 record");
        assertThat(send(pay()).replayed()).isTrue();
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void case45_whatAHandlerThrowsRollsBothBackAndARetryRuns() throws Exception {
        handler = (request, response) -> {
            payInTransaction(request);
            throw new IllegalStateException("no paper");
        };
        assertThat(send(pay()).status()).isEqualTo(500);
        assertThat(Till.payments(key)).isZero();
        assertThat(Till.records(key)).isZero();

        handler = paying(201);
        assertThat(send(pay()).text()).isEqualTo("paid 1");
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void aServerErrorRollsBothBack() throws Exception {
        handler = paying(502);

        assertThat(send(pay()).status()).isEqualTo(502);
        assertThat(Till.payments(key)).isZero();
        assertThat(Till.records(key)).isZero();
    }

    @Test
    void anAnswerThatIsNotRecordedRollsBothBack() throws Exception {
        handler = paying(429);

        assertThat(send(pay()).status()).isEqualTo(429);
        assertThat(Till.payments(key)).isZero();
    }

    @Test
    void aClientErrorIsAnAnswerAndCommitsWithItsEffect() throws Exception {
        handler = paying(402);

        assertThat(send(pay()).status()).isEqualTo(402);
        assertThat(send(pay()).replayed()).isTrue();
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void case46_anAnswerThatNobodyReceivedIsReplayed() throws Exception {
        front = (request, response, chain) -> {
            chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                @Override
                public ServletOutputStream getOutputStream() throws IOException {
                    throw new IOException("the cable is cut");
                }
            });
        };
        assertThat(send(pay()).status()).isEqualTo(500);
        front = behind;

        Got retry = send(pay());

        assertThat(retry.text()).isEqualTo("paid 1");
        assertThat(retry.replayed()).isTrue();
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void anAnswerTooLargeToKeepCommitsItsEffectAndATombstone() throws Exception {
        filter = joinedFilter(PAYMENTS.keepAnswersUpTo(100));
        handler = (request, response) -> {
            payInTransaction(request);
            response.getOutputStream().write(new byte[1000]);
        };

        assertThat(send(pay()).body()).hasSize(1000);
        assertThat(send(pay()).problem()).isEqualTo("result-unavailable");
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void anotherRequestWithTheSameKeyChangesNothing() throws Exception {
        send(pay());

        assertThat(send(pay().body("{}")).status()).isEqualTo(422);
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    @Test
    void ofManyAtOnceOnePays() throws Exception {
        ExecutorService clients = Executors.newCachedThreadPool();
        try {
            List<Future<Got>> sending = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                sending.add(clients.submit(() -> send(pay())));
            }
            for (Future<Got> each : sending) {
                Got got = each.get();
                assertThat(got.text().equals("paid 1") || got.problem().equals("in-progress"))
                        .as(got.text())
                        .isTrue();
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(Till.payments(key)).isEqualTo(1);
    }

    /** Looks into the database when the first byte is about to be sent. */
    private final class FirstByte extends HttpServletResponseWrapper {

        FirstByte(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            seenAtFirstByte.add(Till.payments(key) + " payment, " + Till.records(key) + " record");
            return super.getOutputStream();
        }
    }
}
