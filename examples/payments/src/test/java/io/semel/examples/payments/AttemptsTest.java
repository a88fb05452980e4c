// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The three attempts of the README. */
class AttemptsTest {

    private static Running service;

    private final String order = UUID.randomUUID().toString();

    /** A bank that is slow enough for two requests to meet, where a test says so. */
    static class SlowBank extends Bank {

        private volatile CyclicBarrier meeting = new CyclicBarrier(1);

        void letMeet(int requests) {
            meeting = new CyclicBarrier(requests);
        }

        @Override
        void check(PaymentRequest request) {
            super.check(request);
            try {
                meeting.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Import(PaymentsApplication.class)
    static class App {

        @Bean
        @Primary
        SlowBank slowBank() {
            return new SlowBank();
        }
    }

    @BeforeAll
    static void start() {
        service = Running.start(App.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void withTheBugARetryIsChargedAgain() throws Exception {
        service.pay("/bug/payments", order, "key-1");
        service.pay("/bug/payments", order, "key-1");
        assertThat(service.charged(order)).isEqualTo(2);
    }

    /** Several orders, because the database may by chance turn one of the two away while both make the row of a new order. */
    @Test
    void withHalfAFixTwoAtOnceAreBothCharged() throws Exception {
        service.app().getBean(SlowBank.class).letMeet(2);
        ExecutorService clients = Executors.newFixedThreadPool(2);
        int charged = 0;
        try {
            for (int i = 0; i < 50 && charged < 2; i++) {
                String next = order + "-" + i;
                Future<Wire.Answer> first = clients.submit(() -> service.pay("/half-fix/payments", next, "key-1"));
                Future<Wire.Answer> second = clients.submit(() -> service.pay("/half-fix/payments", next, "key-1"));
                first.get();
                second.get();
                charged = service.charged(next);
            }
        } finally {
            clients.shutdown();
            service.app().getBean(SlowBank.class).letMeet(1);
        }
        assertThat(charged).isEqualTo(2);
    }

    @Test
    void withTheFixARetryGetsTheFirstAnswer() throws IOException {
        int orders = service.count("customer_order");
        int emails = service.count("outgoing_email");
        Wire.Answer first = service.pay("/payments", order, order);
        Wire.Answer second = service.pay("/payments", order, order);
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.head()).contains("Location: /payments?orderId=" + order);
        assertThat(first.body()).contains("\"orderId\":\"" + order + "\"", "\"amountCents\":1250");
        assertThat(second.replayed()).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(service.charged(order)).isOne();
        assertThat(service.count("customer_order")).isEqualTo(orders + 1);
        assertThat(service.count("outgoing_email")).isEqualTo(emails + 1);
    }

    @Test
    void aPaymentThatCannotBeMadeIsRefusedAndTheRefusalIsRecorded() throws IOException {
        byte[] request = Wire.post(
                "/payments", "{\"orderId\":\"" + order + "\",\"amountCents\":0}", "Idempotency-Key: " + order);
        Wire.Answer first = service.wire().send(request);
        Wire.Answer second = service.wire().send(request);
        assertThat(first.status()).isEqualTo(422);
        assertThat(first.head()).contains("application/problem+json");
        assertThat(second.body()).isEqualTo(first.body()).contains("amountCents is a number above zero.");
        assertThat(second.replayed()).isTrue();
        assertThat(service.charged(order)).isZero();
    }

    @Test
    void aRetryWhoseJsonIsSpelledOtherwiseIsTheSameRequest() throws IOException {
        Wire.Answer first = service.pay("/payments", order, order);
        Wire.Answer second = service.wire()
                .send(Wire.post(
                        "/payments",
                        "{ \"amountCents\": 1250, \"orderId\": \"" + order + "\" }",
                        "Idempotency-Key: " + order));
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(service.charged(order)).isOne();
    }
}
