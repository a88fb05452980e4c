// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.annotation.Transactional;

/** jOOQ on the connection of Spring's transaction, as Boot configures it. */
class JooqTest {

    static {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
    }

    static class Orders {

        private final DSLContext jooq;
        private boolean fails = true;

        Orders(DataSource database) {
            jooq = DSL.using(new TransactionAwareDataSourceProxy(database), SQLDialect.POSTGRES);
            jooq.execute("CREATE TABLE orders (id VARCHAR(100) NOT NULL)");
        }

        @Idempotent(operation = "order")
        @Transactional
        public String order(String id) {
            jooq.insertInto(DSL.table("orders")).values(id).execute();
            if (fails) {
                fails = false;
                throw new IllegalStateException("for a test");
            }
            return "fence " + CurrentAttempt.attempt().fence();
        }

        int count() {
            return jooq.fetchCount(DSL.table("orders"));
        }
    }

    @Test
    void theRecordCommitsWithWhatJooqWritesOrNotAtAll() {
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .withBean(Orders.class)
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    assertThatThrownBy(() -> orders.order("1")).hasMessage("for a test");
                    assertThat(orders.count()).isZero();
                    String first = orders.order("1");
                    assertThat(orders.order("1")).isEqualTo(first);
                    assertThat(orders.count()).isOne();
                });
    }
}
