// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

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
}
