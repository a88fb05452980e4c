// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A thousand payments, each asked for ten times at once by clients that lose their connections, on PostgreSQL. */
class StormTest {

    private static final int KEYS = 1000;
    private static final int ATTEMPTS = 10;
    private static final int AT_ONCE = 40;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Random random = new Random(42);

    @Test
    void everyOrderIsChargedOnceAndEveryAnswerIsTheSame() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE);
        try (Running service = Running.start(PaymentsApplication.class, Postgres.properties())) {
            Wire wire = service.wire();
            List<List<Future<List<String>>>> storm = new ArrayList<>();
            for (int key = 0; key < KEYS; key++) {
                storm.add(begin(clients, wire, key));
            }
            for (int key = 0; key < KEYS; key++) {
                String answer = answer(wire, key);
                assertThat(answer).contains("\"orderId\":\"order-" + key + "\"");
                for (Future<List<String>> attempt : storm.get(key)) {
                    assertThat(attempt.get()).allMatch(answer::equals);
                }
            }
            assertThat(service.count("payment")).isEqualTo(KEYS);
            assertThat(service.count("outgoing_email")).isEqualTo(KEYS);
            assertThat(service.count("customer_order WHERE paid_cents = 1250")).isEqualTo(KEYS);
            assertThat(service.count("semel_slot")).isEqualTo(KEYS);
        } finally {
            clients.shutdownNow();
        }
    }

    private List<Future<List<String>>> begin(ExecutorService clients, Wire wire, int key) {
        byte[] request = request(key);
        List<Future<List<String>>> attempts = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            int sent = random.nextBoolean() ? request.length : random.nextInt(request.length);
            boolean cut = i < ATTEMPTS * 7 / 10;
            attempts.add(clients.submit(() -> attempt(wire, key, cut ? sent : -1)));
        }
        return attempts;
    }

    private static byte[] request(int key) {
        return Wire.post("/payments", Running.body("order-" + key), "Idempotency-Key: key-" + key);
    }

    /** What it got, if it waited for it. */
    private static List<String> attempt(Wire wire, int key, int sent) throws IOException {
        if (sent >= 0) {
            wire.sendAndCut(request(key), sent);
            return List.of();
        }
        return List.of(answer(wire, key));
    }

    /** Whoever lost to another request with its key is told to come again, and does. */
    private static String answer(Wire wire, int key) throws IOException {
        Wire.Answer answer = wire.send(request(key));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (answer.problem().equals("in-progress") && System.nanoTime() < end) {
            answer = wire.send(request(key));
        }
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        return answer.body();
    }
}
