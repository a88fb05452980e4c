// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.Level;
import io.semel.NotDone;
import io.semel.Rejection;
import io.semel.jdbc.JdbcStore;
import io.semel.memory.MemoryStore;
import io.semel.spring.internal.store.ApplicationStore;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What becomes of methods whose record is not part of their transaction. */
class LeasedTest {

    static class Mails {

        private final JdbcClient database;
        private final AtomicInteger runs = new AtomicInteger();

        Mails(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE mail (id VARCHAR(100) PRIMARY KEY)").update();
        }

        int runs() {
            return runs.get();
        }

        int sent() {
            return database.sql("SELECT COUNT(*) FROM mail")
                    .query(Integer.class)
                    .single();
        }

        @Idempotent(operation = "send", level = Level.LEASED)
        @Transactional
        public String send(String id) {
            database.sql("INSERT INTO mail VALUES (?)").param(id).update();
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    if (id.startsWith("fails")) {
                        throw new DataIntegrityViolationException("at the commit");
                    }
                }
            });
            return "sent " + runs.incrementAndGet();
        }
    }

    @Test
    void theAnswerIsRecordedOnlyAfterTheCommit() {
        Apps.onH2().withBean(Mails.class).run(context -> {
            Mails mails = context.getBean(Mails.class);
            assertThatThrownBy(() -> mails.send("fails")).isInstanceOf(DataIntegrityViolationException.class);
            JdbcStore store =
                    (JdbcStore) context.getBean(ApplicationStore.class).leased();
            assertThat(store.look(Key.of("send", "fails"))).isEmpty();
            assertThat(mails.sent()).isZero();
            assertThat(mails.send("ok")).isEqualTo(mails.send("ok"));
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void aHundredThreadsWithOneKeySendOnce() {
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withPropertyValues("semel.when-busy=1m")
                .withBean(Mails.class)
                .run(context -> {
                    Mails mails = context.getBean(Mails.class);
                    assertThat(Threads.together(100, () -> mails.send("1"))).containsOnly("sent 1");
                    assertThat(mails.sent()).isOne();
                });
    }

    @Test
    void aCallThatWouldNeedASecondConnectionIsRefused() {
        Apps.onH2()
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .withBean(Mails.class)
                .run(context -> {
                    Mails mails = context.getBean(Mails.class);
                    TransactionTemplate outer =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    assertThatThrownBy(() -> outer.execute(status -> mails.send("1")))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("second one");
                    assertThat(mails.send("1")).isEqualTo("sent 1");
                });
    }

    @Test
    void aPoolOfOneIsEnough() {
        Apps.onH2()
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1", "semel.when-busy=1m")
                .withBean(Payments.class)
                .run(context -> {
                    Payments payments = context.getBean(Payments.class);
                    var order = new Payments.Order("1", 5);
                    assertThat(Threads.together(20, () -> payments.pay(order))).hasSize(20);
                    assertThat(payments.paid(order)).isOne();
                });
    }

    @Test
    void inACallersTransactionTheAnswerIsRecordedWhenThatHasCommitted() {
        MemoryStore store = new MemoryStore();
        Apps.onH2()
                .withBean("mine", Store.class, () -> store)
                .withBean(PlainMails.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    PlainMails mails = context.getBean(PlainMails.class);
                    TransactionTemplate outer =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                    outer.executeWithoutResult(status -> {
                        mails.plain("1");
                        assertThat(state(store, "1")).contains(Slot.State.HELD);
                        assertThatThrownBy(() -> mails.plain("1")).isInstanceOf(NotDone.class);
                    });
                    assertThat(state(store, "1")).contains(Slot.State.SETTLED);
                    outer.executeWithoutResult(status -> {
                        mails.plain("2");
                        status.setRollbackOnly();
                    });
                    assertThat(state(store, "2")).isEmpty();
                    assertThatThrownBy(() -> outer.execute(status -> mails.plain("fails")))
                            .isInstanceOf(IllegalStateException.class);
                    assertThat(state(store, "fails")).isEmpty();
                    assertThatThrownBy(() -> outer.execute(status -> mails.plain("refused")))
                            .isInstanceOf(Rejection.class);
                    assertThatThrownBy(() -> mails.plain("refused")).isInstanceOf(Rejection.class);
                    assertThat(mails.runs()).isEqualTo(4);
                });
    }

    static class PlainMails {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Idempotent(operation = "plain")
        public String plain(String id) {
            runs.incrementAndGet();
            if (id.startsWith("refused")) {
                throw new Rejection("no", "never");
            }
            if (id.startsWith("fails")) {
                throw new IllegalStateException("no");
            }
            return "sent";
        }
    }

    private static Optional<Slot.State> state(MemoryStore store, String id) {
        return store.look(Key.of("plain", id)).map(Slot::state);
    }
}
