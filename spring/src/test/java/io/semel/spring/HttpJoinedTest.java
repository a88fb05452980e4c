// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Retries that are told by their idempotency key. */
class HttpJoinedTest extends HttpJoinedMatrix {

    @BeforeAll
    static void start() {
        start("semel_slot");
    }

    @Override
    Got post(String path, String... headers) throws Exception {
        return web.post(path, body, id, headers);
    }

    @Test
    void anotherRequestWithTheKeyIsRefused() throws Exception {
        post("/pay");
        Got other = web.post("/pay", body.replace("5", "6"), id);
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("key-reused");
        assertThat(other.header("Content-Type")).startsWith("application/problem+json");
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aRequestWithoutAKeyPassesUntouched() throws Exception {
        assertThat(web.send("POST", "/pay", body).status()).isEqualTo(201);
        assertThat(web.send("POST", "/pay", body).status()).isEqualTo(201);
        assertThat(ledger.paid(id)).isEqualTo(2);
        assertThat(records()).isEqualTo(records);
    }

    @Test
    void aMarkedHandlerRequiresAKey() throws Exception {
        Got without = web.send("POST", "/refunds", body);
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.problem()).isEqualTo("missing-key");
        assertRuns(0);
        Got first = post("/refunds");
        assertThat(post("/refunds").text()).isEqualTo(first.text());
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aMarkedHandlerKeepsItsAnswersAsLongAsItSays() throws Exception {
        post("/refunds");
        Long micros = ledger.database()
                .sql("SELECT until - since FROM semel_slot ORDER BY since DESC LIMIT 1")
                .query(Long.class)
                .single();
        assertThat(micros).isEqualTo(TimeUnit.HOURS.toMicros(2));
    }

    @Test
    void aMarkedHandlerTakesPartByAnyMethodThatChangesSomething() throws Exception {
        Got first = web.send("DELETE", "/orders/" + id, "", "Idempotency-Key", id);
        assertThat(first.status()).isEqualTo(200);
        Got second = web.send("DELETE", "/orders/" + id, "", "Idempotency-Key", id);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.replayed()).isTrue();
        assertThat(ledger.paid(id)).isOne();
    }

    @Test
    void aDuplicateIsRefusedWhileTheFirstTransactionRunsAndGetsItsAnswerLater() throws Exception {
        Till.GATE.close();
        ExecutorService clients = Executors.newFixedThreadPool(1);
        try {
            Future<Got> first = clients.submit(() -> post("/pay"));
            Till.GATE.awaitEntered();
            assertThat(post("/pay").status()).isEqualTo(409);
            Till.GATE.open();
            assertThat(first.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
            Got second = post("/pay");
            assertThat(second.text()).isEqualTo(first.get().text());
            assertThat(second.replayed()).isTrue();
            assertThat(ledger.paid(id)).isOne();
        } finally {
            Till.GATE.open();
            clients.shutdown();
        }
    }
}
