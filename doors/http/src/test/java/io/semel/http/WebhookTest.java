// SPDX-License-Identifier: Apache-2.0
package io.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.semel.Key;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookTest extends PaymentService {

    private static final Message EVENT = Message.post("/events").header("webhook-id", "msg_1");

    @BeforeEach
    void takeEvents() {
        door = HttpIdempotency.on(engine, HttpRules.standard().webhook("Webhook-Id", "Svix-Id"));
    }

    @Test
    void anEventIsDeliveredOnceByTheIdThatItsSenderGivesIt() {
        assertThat(send(EVENT).status()).isEqualTo(201);
        Answer again = send(Message.post("/events").header("Svix-Id", "msg_1"));

        assertThat(again.header("Idempotent-Replayed")).hasValue("true");
        assertThat(effects).hasValue(1);
    }

    @Test
    void aRefusedForgeryDoesNotShutTheRealEventOut() {
        Message forged = EVENT.header("Webhook-Signature", "forged");
        handler = message -> Answer.of(400, new byte[0]);
        assertThat(send(forged).status()).isEqualTo(400);

        handler = this::charge;
        assertThat(send(EVENT).status()).isEqualTo(201);
        assertThat(effects).hasValue(1);
    }

    private static Message event(String body) {
        return Message.post("/events").json(body);
    }

    @Test
    void anIdInTheBodyIsAKeyToo() {
        door = HttpIdempotency.on(
                engine,
                HttpRules.standard().compareBodies(BodyComparison.uncompared()).webhookAt("/data/id"));

        assertThat(text(send(event("{\"a\":[1,{\"id\":2}],\"data\":{\"n\":1,\"id\":\"evt_1\"}}"))))
                .isEqualTo("payment 1");
        assertThat(text(send(event("{\"data\":{\"id\":\"evt_1\",\"n\":2}}")))).isEqualTo("payment 1");
        assertThat(text(send(event("{\"data\":{\"id\":7}}")))).isEqualTo("payment 2");
        assertThat(text(send(event("{\"data\":{\"id\":7}}")))).isEqualTo("payment 2");
        assertThat(store.look(Key.of("http/principal/alice", "evt_1"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "{}",
                "{\"id\":null}",
                "{\"id\":{}}",
                "{\"id\":1.5}",
                "{\"id\":\"\"}",
                "{\"id\":\"\\n\"}",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{\"id\":\"a\"",
                "{\"id\":\"a\"} x",
                "{\"id\":\"a\"} {\"id\":\"b\"}",
                "[\"a\"]"
            })
    void withoutAnIdThatIsClearThereIsNoKey(String body) {
        HttpRules rules = HttpRules.standard().webhookAt("/id");
        door = HttpIdempotency.on(engine, rules);
        send(event(body));
        send(event(body));
        assertThat(effects).as("as without a key").hasValue(2);
        assertThat(records()).isZero();

        door = HttpIdempotency.on(engine, rules.keys(KeyUse.REQUIRED));
        assertThat(problem(send(event(body)))).isEqualTo("missing-key");
        assertThat(effects).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"data\":{\"id\":\"a\"},\"data\":{\"id\":\"b\"}}",
                "{\"data\":{\"n\":1},\"data\":{\"id\":\"a\"}}",
                "{\"data\":{\"id\":\"a\"},\"data\":null}",
                "{\"data\":{\"id\":\"a\",\"id\":\"a\"}}"
            })
    void anIdThatReadersMayFindInTwoPlacesIsNoKey(String body) {
        assertThat(HttpRules.eventId("/data/id", body.getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    /** A table of the names of an object would take many times the bytes that they came in. */
    @Test
    void looksForAnIdWithoutKeepingTheNamesOfOthers() {
        StringBuilder body = new StringBuilder("{\"id\":\"evt_1\"");
        for (int i = 0; i < 1_000_000; i++) {
            body.append(",\"n").append(Integer.toString(i, 36)).append("\":0");
        }
        byte[] bytes = body.append('}').toString().getBytes(StandardCharsets.US_ASCII);
        HttpRules.eventId("/id", bytes);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = threads.getCurrentThreadAllocatedBytes();
        assertThat(HttpRules.eventId("/id", bytes)).isEqualTo("evt_1");
        assertThat(threads.getCurrentThreadAllocatedBytes() - allocated)
                .as("bytes allocated for " + bytes.length)
                .isLessThan(8L * bytes.length);
    }

    @Test
    void aKeyThatIsTooLongIsNoneAndABodyThatIsTooLargeIsRefused() {
        door = HttpIdempotency.on(engine, HttpRules.standard().webhookAt("/id").keys(KeyUse.REQUIRED));

        assertThat(problem(send(event("{\"id\":\"" + "x".repeat(256) + "\"}")))).isEqualTo("missing-key");
        assertThat(problem(send(event("{\"id\":\"a\",\"b\":\"" + "x".repeat(1 << 20) + "\"}"))))
                .isEqualTo("body-too-large");
        assertThatThrownBy(() -> HttpRules.standard().webhookAt("id")).hasMessageContaining("slash");
    }

    @Test
    void aForgeryIsForgottenThereToo() {
        door = HttpIdempotency.on(engine, HttpRules.standard().webhookAt("/id"));
        handler = message -> Answer.of(400, new byte[0]);
        send(event("{\"id\":\"a\"}"));
        handler = this::charge;

        assertThat(send(event("{\"id\":\"a\"}")).status()).isEqualTo(201);
    }
}
