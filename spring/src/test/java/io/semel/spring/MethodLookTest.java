// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.Payments.Order;
import io.semel.spring.Payments.Receipt;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Joined methods: a retry is answered before a transaction is begun. */
class MethodLookTest {

    @Test
    void aReplayBeginsNoTransaction() {
        Apps.onH2().withUserConfiguration(App.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            HttpLookTest.Counting begins = context.getBean(HttpLookTest.Counting.class);
            Receipt first = payments.pay(new Order("a", 5));
            int begun = begins.begun();
            assertThat(begun).isPositive();
            assertThat(payments.pay(new Order("a", 5))).isEqualTo(first);
            assertThat(begins.begun()).isEqualTo(begun);
        });
    }

    static class App {

        @Bean
        HttpLookTest.Counting transactionManager(DataSource database) {
            return new HttpLookTest.Counting(database);
        }

        @Bean
        Payments payments(JdbcClient database) {
            return new Payments(database);
        }
    }
}
