// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.semel.Level;
import io.semel.NotDone;
import io.semel.Outcome;
import io.semel.spring.LostCommitTest.Fate;
import io.semel.spring.LostCommitTest.Fickle;
import io.semel.spring.internal.transaction.CommitFailures;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods whose record is not part of their transaction, and whose commit fails. */
class LeasedCommitTest {

    static class Mails {

        private final JdbcClient database;
        private final TransactionTemplate within;
        private final AtomicInteger runs = new AtomicInteger();

        Mails(JdbcClient database, PlatformTransactionManager manager) {
            this.database = database;
            this.within = new TransactionTemplate(manager);
            database.sql("CREATE TABLE mail (id VARCHAR(100))").update();
        }

        int sent() {
            return database.sql("SELECT COUNT(*) FROM mail")
                    .query(Integer.class)
                    .single();
        }

        private String insert(String id) {
            database.sql("INSERT INTO mail VALUES (?)").param(id).update();
            return "sent " + runs.incrementAndGet();
        }

        @Idempotent(operation = "send", level = Level.LEASED)
        @Transactional
        public String send(String id) {
            return insert(id);
        }

        @Idempotent(operation = "calling", level = Level.LEASED)
        public String sendByService(String id) {
            try {
                String sent = within.execute(status -> insert(id));
                return sent;
            } catch (TransactionSystemException e) {
                throw new IllegalStateException("The service has failed.");
            }
        }

        @Idempotent(operation = "later", level = Level.LEASED)
        @Transactional
        public CompletableFuture<String> sendLater(String id) {
            return CompletableFuture.completedFuture(insert(id));
        }

        @Idempotent(operation = "elsewhere", level = Level.LEASED)
        public CompletableFuture<String> sendElsewhere(String id) {
            return CompletableFuture.supplyAsync(() -> within.execute(status -> insert(id)));
        }

        @Idempotent(operation = "afterwards", level = Level.LEASED)
        @Transactional
        public String sendAndFailAfterwards(String id) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("for a test");
                }
            });
            return insert(id);
        }

        @Idempotent(
                operation = "answers",
                level = Level.LEASED,
                recordExceptions = {TransactionSystemException.class, IllegalArgumentException.class})
        @Transactional
        public String sendOrAnswer(String id) {
            return insert(id);
        }

        @Idempotent(operation = "swallows", level = Level.LEASED)
        @Transactional
        public String sendAndSwallow(String id) {
            String sent = insert(id);
            try {
                within.executeWithoutResult(status -> {
                    throw new IllegalStateException("for a test");
                });
            } catch (IllegalStateException swallowed) {
                return sent;
            }
            throw new AssertionError("It always fails.");
        }
    }

    private interface Trial {

        void run(Mails mails, Fickle commits);
    }

    private static void with(Trial trial) {
        Apps.onDatabase(Postgres.newUrl(), "postgres")
                .withUserConfiguration(LostCommitTest.App.class)
                .withBean(Mails.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    trial.run(context.getBean(Mails.class), context.getBean(Fickle.class));
                });
    }

    private static void assertUnknown(Throwable thrown) {
        assertThat(((NotDone) thrown).outcome()).isEqualTo(new Outcome.Refused<>(Outcome.Reason.UNKNOWN));
    }

    @Test
    void aCommitThatWasDoneAlthoughItWasCutFreesNoKey() {
        with((mails, commits) -> {
            commits.next(Fate.DONE_BUT_CUT);
            assertThatThrownBy(() -> mails.send("1")).isInstanceOf(TransactionSystemException.class);
            assertThatThrownBy(() -> mails.send("1")).satisfies(LeasedCommitTest::assertUnknown);
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void noMatterHowDeepTheCommitIsAndWhatBecomesOfItsException() {
        with((mails, commits) -> {
            commits.next(Fate.DONE_BUT_CUT, Fate.DONE_BUT_CUT);
            assertThatThrownBy(() -> mails.sendByService("1")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> mails.sendByService("1")).satisfies(LeasedCommitTest::assertUnknown);
            assertThatThrownBy(() -> mails.sendLater("1").join()).hasCauseInstanceOf(TransactionSystemException.class);
            assertThatThrownBy(() -> mails.sendLater("1").join()).cause().satisfies(LeasedCommitTest::assertUnknown);
            assertThat(mails.sent()).isEqualTo(2);
        });
    }

    @Test
    void aCommitThatWasRefusedFreesTheKey() {
        with((mails, commits) -> {
            for (Fate fate : new Fate[] {Fate.DEADLOCK, Fate.CONSTRAINT}) {
                commits.next(fate);
                assertThatThrownBy(() -> mails.send("1")).isInstanceOf(TransactionSystemException.class);
            }
            assertThat(mails.send("1")).isEqualTo("sent 3");
            assertThat(mails.sent()).isOne();
            assertThatThrownBy(() -> mails.sendAndSwallow("2")).isInstanceOf(UnexpectedRollbackException.class);
            assertThatThrownBy(() -> mails.sendAndSwallow("2")).isInstanceOf(UnexpectedRollbackException.class);
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void aCommitInAnotherThreadThatWasDoneAlthoughItWasCutFreesNoKey() {
        with((mails, commits) -> {
            commits.next(Fate.DONE_BUT_CUT_IN_OTHER_WORDS);
            assertThatThrownBy(() -> mails.sendElsewhere("1").join())
                    .hasCauseInstanceOf(DataAccessResourceFailureException.class);
            assertThatThrownBy(() -> mails.sendElsewhere("1").join())
                    .cause()
                    .satisfies(LeasedCommitTest::assertUnknown);
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void whoFailsAfterTheCommitFreesNoKey() {
        with((mails, commits) -> {
            assertThatThrownBy(() -> mails.sendAndFailAfterwards("1")).hasMessage("for a test");
            assertThatThrownBy(() -> mails.sendAndFailAfterwards("1")).satisfies(LeasedCommitTest::assertUnknown);
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void aCommitInDoubtIsNoAnswerWhateverIsRecorded() {
        with((mails, commits) -> {
            commits.next(Fate.DONE_BUT_CUT);
            assertThatThrownBy(() -> mails.sendOrAnswer("1")).isInstanceOf(TransactionSystemException.class);
            assertThatThrownBy(() -> mails.sendOrAnswer("1")).satisfies(LeasedCommitTest::assertUnknown);
            assertThat(mails.sent()).isOne();
        });
    }

    @Test
    void onlyWhatADatabaseRefusedIsCertain() {
        assertThat(CommitFailures.isCertain(new DataIntegrityViolationException("twice")))
                .isTrue();
        assertThat(CommitFailures.isCertain(new OptimisticLockingFailureException("changed")))
                .isTrue();
        assertThat(CommitFailures.isCertain(new UnexpectedRollbackException("marked")))
                .isTrue();
        assertThat(CommitFailures.isCertain(new TransactionSystemException("commit")))
                .isFalse();
        for (String state : new String[] {"23505", "40001", "40P01", "22001", "25P02"}) {
            assertThat(CommitFailures.isCertain(new IllegalStateException(new SQLException("no", state))))
                    .isTrue();
        }
        for (String state : new String[] {"08006", "57P01", "40003", "HY000", "", null}) {
            assertThat(CommitFailures.isCertain(
                            new DataAccessResourceFailureException("cut", new SQLException("?", state))))
                    .isFalse();
        }
    }
}
