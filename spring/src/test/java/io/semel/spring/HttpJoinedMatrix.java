// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.LostCommitTest.Fate;
import io.semel.spring.LostCommitTest.Fickle;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Answers that commit in the transaction of their handler, on PostgreSQL, whatever tells a retry from a new request. */
abstract class HttpJoinedMatrix {

    static Web web;
    private static String recordTable;
    static Till.Ledger ledger;
    private static Fickle commits;
    static final ConcurrentLinkedQueue<String> FIRST_BYTES = new ConcurrentLinkedQueue<>();

    final String id = UUID.randomUUID().toString();
    final String body = "{\"id\":\"" + id + "\",\"cents\":5}";
    int runs;
    int records;

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import({Till.class, Till.Advice.class})
    static class App {

        @Bean
        Fickle transactionManager(DataSource database) {
            return new Fickle(database);
        }

        @Bean
        Till.Ledger ledger(JdbcClient database) {
            return new Till.Ledger(database);
        }

        /** Looks into the database when the first byte is about to be sent. */
        @Bean
        FilterRegistrationBean<?> watching(Till.Ledger ledger) {
            var registration = new FilterRegistrationBean<>((request, response, chain) ->
                    watch((HttpServletRequest) request, (HttpServletResponse) response, chain, ledger));
            registration.setOrder(0);
            return registration;
        }

        private static void watch(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain, Till.Ledger ledger)
                throws IOException, jakarta.servlet.ServletException {
            String order = request.getHeader("Watch");
            if (order == null) {
                chain.doFilter(request, response);
                return;
            }
            chain.doFilter(request, new HttpServletResponseWrapper(response) {
                @Override
                public ServletOutputStream getOutputStream() throws IOException {
                    FIRST_BYTES.add(ledger.paid(order) + " payment, " + records() + " record");
                    return super.getOutputStream();
                }
            });
        }
    }

    /** @param table where records are kept */
    static void start(String table, String... properties) {
        recordTable = table;
        web = Web.onPostgres(App.class, properties);
        ledger = web.bean(Till.Ledger.class);
        commits = web.bean(Fickle.class);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    @BeforeEach
    void count() {
        runs = ledger.runs();
        records = records();
    }

    /** The first request, or a retry of it. */
    abstract Got post(String path, String... headers) throws Exception;

    static int records() {
        return ledger.database()
                .sql("SELECT COUNT(*) FROM " + recordTable)
                .query(Integer.class)
                .single();
    }

    void assertThatNothingIsLeft() {
        assertThat(ledger.paid(id)).isZero();
        assertThat(records()).isEqualTo(records);
    }

    void assertRuns(int expected) {
        assertThat(ledger.runs() - runs).isEqualTo(expected);
    }

    @Test
    void aRetryGetsTheSameBytesAndPaysNothing() throws Exception {
        Got first = post("/pay");
        Got second = post("/pay");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.replayed()).isFalse();
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.replayed()).isTrue();
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("Location"))
                .isEqualTo(first.header("Location"))
                .startsWith("/payments/");
        assertThat(ledger.paid(id)).isOne();
        assertThat(records()).isEqualTo(records + 1);
    }

    @Test
    void effectAndRecordAreCommittedWhenTheFirstByteIsSent() throws Exception {
        post("/pay", "Watch", id);
        assertThat(FIRST_BYTES.poll()).isEqualTo("1 payment, " + (records + 1) + " record");
    }

    @Test
    void aHandlerThatMarksItsTransactionForRollbackCannotAnswerWithSuccess() throws Exception {
        assertThat(post("/marked-for-rollback").status()).isEqualTo(500);
        assertThatNothingIsLeft();
    }

    @Test
    void aRefusalAfterTheTransactionWasMarkedForRollbackIsRecordedAfterwards() throws Exception {
        assertThat(post("/marked-and-refused").status()).isEqualTo(409);
        Got retry = post("/marked-and-refused");
        assertThat(retry.status()).isEqualTo(409);
        assertThat(retry.replayed()).isTrue();
        assertRuns(1);
        assertThat(ledger.paid(id)).isZero();
    }

    @Test
    void anExceptionThatAnAdviceMakesARefusalOfRollsBackAndIsRecorded() throws Exception {
        Got first = post("/advised");
        Got second = post("/advised");
        assertThat(first.status()).isEqualTo(402);
        assertThat(first.text()).contains("There is not enough for " + id);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.replayed()).isTrue();
        assertThat(ledger.paid(id)).isZero();
        assertRuns(1);
    }

    @Test
    void aHandlerThatSwallowsTheExceptionOfItsServiceCannotAnswerWithSuccess() throws Exception {
        assertThat(post("/swallowed").status()).isEqualTo(500);
        assertThatNothingIsLeft();
    }

    @Test
    void aRefusalWithoutARollbackCommitsWithItsEffect() throws Exception {
        assertThat(post("/refused").status()).isEqualTo(422);
        assertThat(post("/refused").replayed()).isTrue();
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void anAnswerThatIsNotRecordedIsRolledBack() throws Exception {
        assertThat(post("/forbidden").status()).isEqualTo(403);
        assertThatNothingIsLeft();
        assertThat(post("/forbidden").replayed()).isFalse();
    }

    @Test
    void aRefusalAfterAFailedStatementIsRecordedAlthoughItsTransactionCouldNot() throws Exception {
        assertThat(post("/broken/409").text()).isEqualTo("broken");
        Got retry = post("/broken/409");
        assertThat(retry.text()).isEqualTo("broken");
        assertThat(retry.replayed()).isTrue();
        assertRuns(1);
        assertThat(ledger.paid(id)).isZero();
    }

    @Test
    void anExceptionAfterAFailedStatementThatAnAdviceMakesARefusalOfIsRecordedAfterwards() throws Exception {
        assertThat(post("/broken-and-advised").status()).isEqualTo(402);
        Got retry = post("/broken-and-advised");
        assertThat(retry.status()).isEqualTo(402);
        assertThat(retry.replayed()).isTrue();
        assertRuns(1);
        assertThat(ledger.paid(id)).isZero();
    }

    @Test
    void aRefusalThatIsNotRecordedLeavesNothingAfterAFailedStatement() throws Exception {
        assertThat(post("/broken/403").status()).isEqualTo(403);
        assertThatNothingIsLeft();
        assertThat(post("/broken/503").status()).isEqualTo(503);
        assertThatNothingIsLeft();
    }

    @Test
    void aSuccessAfterAFailedStatementIsNotSent() throws Exception {
        Got got = post("/broken/200");
        assertThat(got.status()).isEqualTo(409);
        assertThat(got.problem()).isEqualTo("outcome-unknown");
        assertThatNothingIsLeft();
    }

    @Test
    void aServerErrorRollsBackAndForgets() throws Exception {
        assertThat(post("/failed").text()).isEqualTo("the bank is away");
        assertThatNothingIsLeft();
        assertThat(post("/failed").replayed()).isFalse();
        assertRuns(2);
    }

    @Test
    void anExceptionRollsBackAndForgets() throws Exception {
        assertThat(post("/thrown").status()).isEqualTo(500);
        assertThatNothingIsLeft();
    }

    @Test
    void aTransactionOfItsOwnCommitsWhateverBecomesOfTheRequest() throws Exception {
        assertThat(post("/apart").status()).isEqualTo(500);
        assertThat(post("/apart").status()).isEqualTo(500);
        assertThat(ledger.paid(id)).isEqualTo(2);
        assertThat(records()).isEqualTo(records);
    }

    @Test
    void aServiceThatOnlyReadsTakesPartAndItsAnswerIsRecorded() throws Exception {
        assertThat(post("/read-only").text()).isEqualTo("0");
        web.send("POST", "/pay", body);
        assertThat(post("/read-only").text()).isEqualTo("0");
    }

    @Test
    void theTransactionHasTheAttributesOfTheHandlerItself() throws Exception {
        assertThat(post("/serializable").text()).isEqualTo("serializable");
    }

    @Test
    void aCommitThatWasDoneAlthoughItWasCutIsFoundAndAnswered() throws Exception {
        commits.next(Fate.DONE_BUT_CUT);
        Got first = post("/pay");
        assertThat(first.status()).isEqualTo(201);
        assertThat(post("/pay").text()).isEqualTo(first.text());
        assertThat(ledger.paid(id)).isOne();
        assertRuns(1);
    }

    @Test
    void aCommitThatWasCutOrLostIsNotAnsweredAndTheRetryRuns() throws Exception {
        for (Fate fate : List.of(Fate.CUT, Fate.DEADLOCK, Fate.CONSTRAINT)) {
            commits.next(fate);
            Got lost = post("/pay");
            assertThat(lost.status()).isEqualTo(409);
            assertThat(lost.problem()).isEqualTo("outcome-unknown");
            assertThat(lost.header("Retry-After")).isEqualTo("1");
            assertThatNothingIsLeft();
        }
        assertThat(post("/pay").status()).isEqualTo(201);
        assertThat(ledger.paid(id)).isOne();
        assertRuns(4);
    }

    /** As a client does who is told that the request runs already. */
    private Got postInTheEnd(String path) throws Exception {
        Got got = post(path);
        while (got.status() == 409) {
            got = post(path);
        }
        return got;
    }

    @Test
    void ofThirtyAtOnceOnePaysAndAllGetItsAnswer() throws Exception {
        List<Got> all = Threads.together(30, () -> postInTheEnd("/pay"));
        assertThat(all).allSatisfy(got -> {
            assertThat(got.status()).isEqualTo(201);
            assertThat(got.text()).isEqualTo(all.get(0).text());
        });
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aHandlerThatAnswersLaterIsLeasedOnTheSameTable() throws Exception {
        Got first = post("/later");
        assertThat(first.status()).isEqualTo(200);
        Got second = post("/later");
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.replayed()).isTrue();
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aHandlerThatTurnsOutToAnswerLaterIsRolledBack() throws Exception {
        assertThat(post("/whatever").status()).isEqualTo(500);
        assertThatNothingIsLeft();
    }

    @Test
    void aBodyThatIsWrittenLaterIsRecordedWhole() throws Exception {
        Got first = post("/body");
        assertThat(first.text()).isEqualTo(("part " + (runs + 1) + "\n").repeat(3));
        assertThat(post("/body").text()).isEqualTo(first.text());
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void whatAHandlerFlushesIsHeldBackUntilTheCommit() throws Exception {
        Got first = post("/flushed", "Watch", id);
        assertThat(first.text()).isEqualTo("first last " + (runs + 1));
        assertThat(FIRST_BYTES.poll()).isEqualTo("1 payment, " + (records + 1) + " record");
        assertThat(post("/flushed").text()).isEqualTo(first.text());
    }

    @Test
    void aStreamOfEventsIsRefusedBeforeItRuns() throws Exception {
        Got got = post("/events");
        assertThat(got.status()).isEqualTo(501);
        assertThat(got.problem()).isEqualTo("unsupported");
        assertThatNothingIsLeft();
        assertThat(web.send("POST", "/events", body).text()).contains("data:paid");
    }
}
