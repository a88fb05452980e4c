// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Key;
import io.semel.NotDone;
import io.semel.Rejection;
import io.semel.memory.MemoryStore;
import io.semel.store.Slot;
import io.semel.store.Store;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls in a transaction of their caller, while their record is elsewhere. */
class LeasedInTransactionTest {

    static class Bank {

        private final JdbcClient database;
        private final AtomicInteger runs = new AtomicInteger();

        Bank(JdbcClient database) {
            this.database = database;
            database.sql("CREATE TABLE paid (id VARCHAR(100))").update();
        }

        int paid() {
            return database.sql("SELECT COUNT(*) FROM paid")
                    .query(Integer.class)
                    .single();
        }

        String insert(String id) {
            database.sql("INSERT INTO paid VALUES (?)").param(id).update();
            return "paid " + runs.incrementAndGet();
        }

        @Idempotent(operation = "pay")
        public String pay(String id) {
            return insert(id);
        }

        @Idempotent(operation = "fail")
        public String payAndFail(String id) {
            insert(id);
            throw new IllegalStateException("for a test");
        }

        @Idempotent(operation = "reject")
        public String payAndReject(String id) {
            insert(id);
            throw new Rejection("no", "for a test");
        }

        @Idempotent(operation = "apart")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public String payApart(String id) {
            return insert(id);
        }

        @Idempotent(operation = "both", fingerprint = "''")
        public String payBoth(Bank self, @IdempotencyKey String id) {
            self.insertApart(id);
            return insert(id);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void insertApart(String id) {
            insert(id);
        }

        @Idempotent(operation = "later")
        public CompletableFuture<String> payLater(String id) {
            return CompletableFuture.completedFuture(insert(id));
        }
    }

    private interface Trial {

        void run(Bank bank, TransactionTemplate outer, TransactionTemplate nested, MemoryStore store);
    }

    private static void with(Trial trial) {
        MemoryStore store = new MemoryStore();
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withBean("mine", Store.class, () -> store)
                .withBean(Bank.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
                    TransactionTemplate nested = new TransactionTemplate(manager);
                    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
                    trial.run(context.getBean(Bank.class), new TransactionTemplate(manager), nested, store);
                });
    }

    /** As the manager of an application does that translates what a driver throws: Spring rolls back after it. */
    static final class Cutting extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        private boolean cuts;

        Cutting(DataSource database) {
            super(database);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            super.doCommit(status);
            if (cuts) {
                cuts = false;
                throw new DataAccessResourceFailureException(
                        "for a test", new SQLException("The answer was lost.", "25S03"));
            }
        }
    }

    @Test
    void aCommitOfTheCallerThatWasDoneAlthoughItFailedFreesNoKey() {
        MemoryStore store = new MemoryStore();
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withBean("mine", Store.class, () -> store)
                .withBean(Cutting.class)
                .withBean(Bank.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Bank bank = context.getBean(Bank.class);
                    Cutting commits = context.getBean(Cutting.class);
                    TransactionTemplate outer = new TransactionTemplate(commits);
                    commits.cuts = true;
                    assertThatThrownBy(() -> outer.execute(status -> bank.pay("1")))
                            .isInstanceOf(DataAccessResourceFailureException.class);
                    assertThat(state(store, "pay")).contains(Slot.State.LAPSED);
                    assertThatThrownBy(() -> outer.execute(status -> bank.pay("1")))
                            .isInstanceOf(NotDone.class);
                    assertThat(bank.paid()).isOne();
                });
    }

    private static Optional<Slot.State> state(MemoryStore store, String operation) {
        return store.look(Key.of(operation, "1")).map(Slot::state);
    }

    @Test
    void aCallerWhoSwallowsARejectionCannotCommitHalfOfTheCall() {
        with((bank, outer, nested, store) -> {
            assertThatThrownBy(() -> outer.executeWithoutResult(status ->
                            assertThatThrownBy(() -> bank.payAndReject("1")).isInstanceOf(Rejection.class)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must not be committed");
            assertThat(bank.paid()).isZero();
            assertThatThrownBy(() -> bank.payAndReject("1")).isInstanceOf(Rejection.class);
            assertThat(bank.paid()).isZero();
        });
    }

    @Test
    void aRejectionThatWasRecordedBeforeLetsItsCallerCommit() {
        with((bank, outer, nested, store) -> {
            assertThatThrownBy(() -> outer.executeWithoutResult(status -> bank.payAndReject("1")))
                    .isInstanceOf(Rejection.class);
            outer.executeWithoutResult(status -> {
                bank.insert("other");
                assertThatThrownBy(() -> bank.payAndReject("1")).isInstanceOf(Rejection.class);
            });
            assertThat(bank.paid()).isOne();
        });
    }

    @Test
    void aSavepointThatIsRolledBackTakesTheCallBackWithIt() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status -> nested.executeWithoutResult(inner -> {
                assertThat(bank.pay("1")).isEqualTo("paid 1");
                inner.setRollbackOnly();
            }));
            assertThat(bank.paid()).isZero();
            assertThat(state(store, "pay")).isEmpty();
            assertThat(bank.pay("1")).isEqualTo("paid 2");
            assertThat(bank.pay("1")).isEqualTo("paid 2");
            assertThat(bank.paid()).isOne();
        });
    }

    @Test
    void aSavepointAfterTheCallIsNoMatterOfIt() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status -> {
                bank.pay("1");
                nested.executeWithoutResult(TransactionStatus::setRollbackOnly);
            });
            assertThat(state(store, "pay")).contains(Slot.State.SETTLED);
            assertThat(bank.paid()).isOne();
        });
    }

    @Test
    void aCallThatCommitsByItselfIsRecordedWhateverBecomesOfItsCaller() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status -> {
                bank.payApart("1");
                status.setRollbackOnly();
            });
            assertThat(bank.payApart("1")).isEqualTo("paid 1");
            assertThat(bank.paid()).isOne();
        });
    }

    @Test
    void aCallThatIsHalfCommittedWhenItsCallerRollsBackIsAbandoned() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status -> {
                bank.payBoth(bank, "1");
                status.setRollbackOnly();
            });
            assertThat(bank.paid()).isOne();
            assertThat(state(store, "both")).contains(Slot.State.LAPSED);
        });
    }

    @Test
    void aCallerWhoSwallowsTheExceptionCannotCommitHalf() {
        with((bank, outer, nested, store) -> {
            assertThatThrownBy(() -> outer.executeWithoutResult(status -> swallow(bank)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fail/1");
            assertThat(bank.paid()).isZero();
            assertThat(state(store, "fail")).isEmpty();
        });
    }

    @Test
    void butMayCommitWhatIsLeftOnceTheCallWasRolledBack() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status -> {
                bank.insert("other");
                nested.executeWithoutResult(inner -> {
                    swallow(bank);
                    inner.setRollbackOnly();
                });
            });
            assertThat(bank.paid()).isOne();
        });
    }

    private static void swallow(Bank bank) {
        assertThatThrownBy(() -> bank.payAndFail("1")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCallAfterTheEndOfATransactionIsRecordedAtOnce() {
        with((bank, outer, nested, store) -> {
            outer.executeWithoutResult(status ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCompletion(int end) {
                            bank.payApart("1");
                        }
                    }));
            assertThat(state(store, "apart")).contains(Slot.State.SETTLED);
            assertThat(bank.paid()).isOne();
        });
    }

    @Test
    void aFutureCannotEndInATransactionOfItsCaller() {
        with((bank, outer, nested, store) -> {
            assertThatThrownBy(() -> outer.execute(status -> bank.payLater("1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("outside of the transaction");
            assertThat(bank.payLater("1").join()).isEqualTo("paid 1");
        });
    }
}
