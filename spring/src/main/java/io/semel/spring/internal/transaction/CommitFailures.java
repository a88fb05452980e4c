// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.HeuristicCompletionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;

/** The distinction between commits that were certainly refused and those that may have happened. */
public final class CommitFailures {

    /** Classes of SQL states by which a database that has an answer refuses a commit. */
    private static final Set<String> REFUSED = Set.of("22", "23", "27", "2D", "40", "42", "44", "55", "P0");

    /** PostgreSQL, after a statement has failed: the transaction accepts no other statement. */
    private static final String ABORTED = "25P02";
    /** States of the other classes by which it does so: the transaction had failed before, or only reads. */
    private static final Set<String> REFUSED_TOO = Set.of(ABORTED, "25006");

    /** The server does not know itself; the driver went on with another server in the middle of a commit. */
    private static final Set<String> UNKNOWN = Set.of("40003", "25S03");

    private static final String CONNECTION = "08";

    public static boolean isCertain(Throwable failure) {
        return !isAmbiguous(failure) && isRefused(failure);
    }

    /** Whatever Spring has made of it. */
    private static boolean isAmbiguous(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
            if (state != null && (state.startsWith(CONNECTION) || UNKNOWN.contains(state))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return isRefusal(sql.getSQLState());
            }
            if (cause instanceof UnexpectedRollbackException
                    || cause instanceof ConcurrencyFailureException
                    || cause instanceof DataIntegrityViolationException
                    || cause.getClass().getName().startsWith("jakarta.validation.")) {
                return true;
            }
        }
        return false;
    }

    /** Where no watch could follow, because the work went on in other threads: whether it may have failed in a commit. */
    public static boolean mayBeOne(Throwable thrown) {
        boolean mayBe = false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (isNoConnection(cause)) {
                return false;
            }
            mayBe |= isOfCommits(cause);
        }
        return mayBe && !isCertain(thrown);
    }

    /** The last three are what Spring makes of a connection that is lost, by JDBC, by its subclasses of exceptions, and by R2DBC. */
    private static boolean isOfCommits(Throwable cause) {
        return cause instanceof TransactionSystemException
                || cause instanceof HeuristicCompletionException
                || cause instanceof DataAccessResourceFailureException
                || cause instanceof RecoverableDataAccessException
                || cause instanceof TransientDataAccessResourceException;
    }

    /** Before anything was begun; the second is in a module that need not be there. */
    private static boolean isNoConnection(Throwable cause) {
        return cause instanceof CannotCreateTransactionException
                || cause.getClass().getName().equals("org.springframework.jdbc.CannotGetJdbcConnectionException");
    }

    private static boolean isRefusal(@Nullable String state) {
        return state != null
                && state.length() == 5
                && (REFUSED.contains(state.substring(0, 2)) || REFUSED_TOO.contains(state));
    }

    /** Whether a statement was refused because an earlier one in its transaction has failed. */
    static boolean isAborted(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return ABORTED.equals(sql.getSQLState());
            }
        }
        return false;
    }

    private CommitFailures() {}
}
