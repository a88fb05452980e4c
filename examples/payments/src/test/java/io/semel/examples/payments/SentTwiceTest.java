// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.payments;

import io.semel.Level;
import io.semel.memory.MemoryStore;
import io.semel.store.Store;
import io.semel.testkit.Sender;
import io.semel.testkit.SentTwice;
import io.semel.testkit.fault.FlakyStore;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The service on a store that fails when the test kit says so. */
class SentTwiceTest {

    private static final FlakyStore STORE = FlakyStore.on(new MemoryStore()).promising(Level.LEASED);
    private static Running service;

    private final String order = UUID.randomUUID().toString();

    @Import(PaymentsApplication.class)
    static class App {

        @Bean
        Store store() {
            return STORE;
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

    @SentTwice
    void aPaymentIsChargedOnce(Sender sender) {
        sender.over(STORE)
                .busyWhen(Wire.Answer.class, answer -> answer.problem().equals("in-progress"))
                .unknownWhen(Wire.Answer.class, answer -> answer.problem().equals("outcome-unknown"))
                .send(() -> service.pay("/payments", order, order))
                .hasEffects(1, () -> service.charged(order))
                .answersEqually(Wire.Answer::body);
    }
}
