// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Call;
import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Rejection;
import io.semel.http.Caller;
import io.semel.jdbc.JdbcStore;
import jakarta.servlet.Filter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/** Joined requests on PostgreSQL, with a pool of ten: retries are answered before a transaction is begun. */
@Timeout(120)
class HttpLookTest {

    private static final Semaphore ARRIVED = new Semaphore(0);
    private static Web web;
    private static Till.Ledger ledger;
    private static Counting begins;

    private final String id = UUID.randomUUID().toString();
    private final String body = "{\"id\":\"" + id + "\",\"cents\":5}";

    static class Counting extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger begun = new AtomicInteger();

        Counting(DataSource database) {
            super(database);
        }

        int begun() {
            return begun.get();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            begun.incrementAndGet();
            super.doBegin(transaction, definition);
        }
    }

    @SpringBootApplication(scanBasePackages = "io.semel.nothing")
    @Import({Till.class, Till.Advice.class})
    static class App {

        @Bean
        Counting transactionManager(DataSource database) {
            return new Counting(database);
        }

        @Bean
        Till.Ledger ledger(JdbcClient database) {
            return new Till.Ledger(database);
        }

        @Bean
        FilterRegistrationBean<Filter> arrivals() {
            var registration = new FilterRegistrationBean<Filter>((request, response, chain) -> {
                ARRIVED.release();
                chain.doFilter(request, response);
            });
            registration.setOrder(0);
            return registration;
        }
    }

    @BeforeAll
    static void start() {
        web = Web.onPostgres(
                App.class,
                "spring.datasource.hikari.maximum-pool-size=10",
                "semel.http.when-busy=60s",
                "semel.purge.enabled=false",
                "semel.sessions.enabled=true");
        ledger = web.bean(Till.Ledger.class);
        begins = web.bean(Counting.class);
    }

    @AfterAll
    static void stop() {
        web.close();
    }

    @BeforeEach
    void forget() {
        ARRIVED.drainPermits();
        begins.begun.set(0);
    }

    private CompletableFuture<Got> later(String path, String... headers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return web.send("POST", path, body, headers);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    private List<CompletableFuture<Got>> many(int count, String... headers) {
        List<CompletableFuture<Got>> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(later("/pay", headers));
        }
        return sent;
    }

    @Test
    void aStormOfRetriesBeginsNoTransaction() throws Exception {
        Got first = web.post("/pay", body, id);
        assertThat(begins.begun).hasValue(1);
        for (CompletableFuture<Got> retry : many(60, "Idempotency-Key", id)) {
            assertThat(retry.get().replayed()).isTrue();
            assertThat(retry.get().text()).isEqualTo(first.text());
        }
        assertThat(begins.begun).hasValue(1);
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void refusalsOfKnownKeysBeginNoTransaction() throws Exception {
        web.post("/pay", body, id);
        assertThat(web.post("/pay", body.replace("5", "6"), id).problem()).isEqualTo("key-reused");
        assertThat(begins.begun).hasValue(1);
    }

    @Test
    void aRecordedRejectionIsAProblemAndNoFailure() throws Exception {
        web.post("/pay", body, id);
        Engine beside = Engine.on(JdbcStore.on(web.bean(DataSource.class)));
        Call call = Call.of(Key.of("elsewhere", id), Fingerprint.none());
        assertThatThrownBy(() -> beside.run(call, Codec.utf8(), attempt -> {
                    throw new Rejection("limit", "Too much at once.");
                }))
                .isInstanceOf(Rejection.class);
        ledger.database()
                .sql("UPDATE semel_slot SET result = (SELECT result FROM semel_slot WHERE id = ?::uuid)"
                        + " WHERE id = ?::uuid")
                .params(uuid(call.key()), uuid(Key.of(Caller.anonymous().scope("http"), id)))
                .update();

        Got rejected = web.post("/pay", body, id);
        assertThat(rejected.status()).isEqualTo(422);
        assertThat(rejected.problem()).isEqualTo("rejected");
        assertThat(ledger.paid(id)).isOne();
    }

    private static String uuid(Key key) {
        ByteBuffer hash = ByteBuffer.wrap(key.hash());
        return new UUID(hash.getLong(), hash.getLong()).toString();
    }

    @Test
    void duplicatesOfASlowRequestTakeNeitherTransactionsNorThePool() throws Exception {
        Till.GATE.close();
        CompletableFuture<Got> slow = later("/pay", "Idempotency-Key", id);
        try {
            Till.GATE.awaitEntered();
            ARRIVED.drainPermits();
            List<CompletableFuture<Got>> duplicates = many(15, "Idempotency-Key", id);
            assertThat(ARRIVED.tryAcquire(15, 60, TimeUnit.SECONDS)).isTrue();
            Got unrelated = web.post("/refunds", body.replace(id, "other" + id), "other" + id);
            assertThat(unrelated.status()).isEqualTo(201);
            assertThat(slow).isNotDone();
            assertThat(duplicates).noneMatch(CompletableFuture::isDone);
            assertThat(begins.begun)
                    .as("of the slow one and of the unrelated one")
                    .hasValue(2);
            Till.GATE.open();
            for (CompletableFuture<Got> duplicate : duplicates) {
                assertThat(duplicate.get().text()).isEqualTo(slow.get().text());
                assertThat(duplicate.get().replayed()).isTrue();
            }
        } finally {
            Till.GATE.open();
        }
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aRetryInASessionDoesNotWaitForAnotherNumberThatRuns() throws Exception {
        String session = SessionsTest.register(web);
        String[] one = {"Semel-Session", session, "Semel-Request", "1", "Semel-First-Outstanding", "1"};
        String[] two = {"Semel-Session", session, "Semel-Request", "2", "Semel-First-Outstanding", "1"};
        Got first = later("/pay", one).get();
        Till.GATE.close();
        CompletableFuture<Got> slow = later("/pay", two);
        try {
            Till.GATE.awaitEntered();
            int before = begins.begun.get();
            Got again = later("/pay", one).get();
            assertThat(again.replayed()).isTrue();
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(begins.begun).hasValue(before);
            assertThat(slow).isNotDone();
        } finally {
            Till.GATE.open();
        }
        assertThat(slow.get().status()).isEqualTo(201);
    }
}
