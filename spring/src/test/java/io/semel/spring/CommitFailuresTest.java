// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.spring.internal.transaction.CommitFailures;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

class CommitFailuresTest {

    /** The last is what a driver says that went on with another server in the middle of a commit. */
    @ParameterizedTest
    @ValueSource(strings = {"08006", "08007", "40003", "25S03"})
    void aCommitOfWhichNobodyKnowsIsNeverCertainWhateverSpringMakesOfIt(String state) {
        SQLException failure = new SQLException("for a test", state);

        assertThat(CommitFailures.isCertain(failure)).isFalse();
        assertThat(CommitFailures.isCertain(new TransactionSystemException("commit", failure)))
                .isFalse();
        assertThat(CommitFailures.isCertain(new PessimisticLockingFailureException("commit", failure)))
                .isFalse();
        assertThat(CommitFailures.isCertain(new DataIntegrityViolationException("commit", failure)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "40001", "40P01", "25P02", "25006"})
    void aCommitThatTheDatabaseRefusedIsCertain(String state) {
        SQLException failure = new SQLException("for a test", state);

        assertThat(CommitFailures.isCertain(new TransactionSystemException("commit", failure)))
                .isTrue();
    }

    /** As the connector of MySQL says it, and R2DBC. */
    @Test
    void aLostConnectionMayHaveBeenLostInACommitByWhateverName() {
        SQLException lost = new SQLRecoverableException("for a test", "08S01");

        assertThat(CommitFailures.mayBeOne(new RecoverableDataAccessException("commit", lost)))
                .isTrue();
        assertThat(CommitFailures.mayBeOne(
                        new IllegalStateException(new TransientDataAccessResourceException("commit"))))
                .isTrue();
        assertThat(CommitFailures.mayBeOne(new CannotCreateTransactionException(
                        "begin", new RecoverableDataAccessException("begin", lost))))
                .isFalse();
    }
}
