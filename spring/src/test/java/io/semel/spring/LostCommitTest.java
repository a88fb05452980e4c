// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.spring.Payments.Order;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Commits whose outcome nobody is told, or that another transaction has spoilt. */
class LostCommitTest {

    /** What becomes of the next commits. */
    enum Fate {
        DONE,
        DONE_BUT_CUT,
        /** The same, with the exception that Boot's own transaction manager makes of it. */
        DONE_BUT_CUT_IN_OTHER_WORDS,
        CUT,
        DEADLOCK,
        CONSTRAINT
    }

    static class Fickle extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient Deque<Fate> fates = new ArrayDeque<>();

        Fickle(DataSource database) {
            super(database);
        }

        void next(Fate... all) {
            fates.addAll(List.of(all));
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            Fate fate = fates.isEmpty() ? Fate.DONE : fates.remove();
            switch (fate) {
                case DONE -> super.doCommit(status);
                case DONE_BUT_CUT -> {
                    super.doCommit(status);
                    throw failure("08006");
                }
                case DONE_BUT_CUT_IN_OTHER_WORDS -> {
                    super.doCommit(status);
                    throw translateException("JDBC commit", new SQLException("for a test", "08006"));
                }
                case CUT -> undo(status, "08006");
                case DEADLOCK -> undo(status, "40P01");
                case CONSTRAINT -> undo(status, "23505");
            }
        }

        private void undo(DefaultTransactionStatus status, String state) {
            super.doRollback(status);
            throw failure(state);
        }

        private static TransactionSystemException failure(String state) {
            return new TransactionSystemException("the commit", new SQLException("for a test", state));
        }
    }

    @Configuration
    static class App {

        @Bean
        Fickle transactionManager(DataSource database) {
            return new Fickle(database);
        }
    }

    private interface Trial {

        void run(Payments payments, Fickle manager);
    }

    private static void with(Trial trial) {
        Consumer<org.springframework.boot.test.context.runner.ApplicationContextRunner> each = app ->
                app.withUserConfiguration(App.class).withBean(Payments.class).run(context -> {
                    assertThat(context).hasNotFailed();
                    trial.run(context.getBean(Payments.class), context.getBean(Fickle.class));
                });
        each.accept(Apps.onH2());
        each.accept(Apps.onDatabase(Postgres.newUrl(), "postgres"));
    }

    private static final Order ORDER = new Order("1", 5);

    @Test
    void aCommitThatWasDoneAlthoughItWasCutIsFoundAgain() {
        with((payments, manager) -> {
            manager.next(Fate.DONE_BUT_CUT);
            assertThat(payments.pay(ORDER).number()).isOne();
            assertThat(payments.runs()).isOne();
            assertThat(payments.paid(ORDER)).isOne();
        });
    }

    @Test
    void aCommitThatWasCutAndNotDoneIsBegunAgain() {
        with((payments, manager) -> {
            manager.next(Fate.CUT, Fate.DEADLOCK);
            assertThat(payments.pay(ORDER).number()).isEqualTo(3);
            assertThat(payments.paid(ORDER)).isOne();
        });
    }

    @Test
    void afterThreeTriesTheFailureIsTold() {
        with((payments, manager) -> {
            manager.next(Fate.DEADLOCK, Fate.DEADLOCK, Fate.DEADLOCK);
            assertThatThrownBy(() -> payments.pay(ORDER)).isInstanceOf(TransactionSystemException.class);
            assertThat(payments.paid(ORDER)).isZero();
            assertThat(payments.pay(ORDER).number()).isEqualTo(4);
        });
    }

    @Test
    void aCommitThatWouldFailAgainIsNotBegunAgain() {
        with((payments, manager) -> {
            manager.next(Fate.CONSTRAINT);
            assertThatThrownBy(() -> payments.pay(ORDER)).isInstanceOf(TransactionSystemException.class);
            assertThat(payments.runs()).isOne();
            assertThat(payments.paid(ORDER)).isZero();
        });
    }
}
