// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.transaction;

import io.semel.LeaseLost;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The failures that a new transaction may not meet again: a lost conflict, or a lost connection. */
public final class RetryableFailures {

    private static final String LOST = "40";
    private static final String CUT = "08";
    private static final Set<String> SHUT_DOWN = Set.of("57P01", "57P02", "57P03");
    /** H2: a row was changed by another; MariaDB: a record has changed since the last read. */
    private static final Set<Integer> CHANGED = Set.of(90131, 1020);

    /**
     * After a connection was cut in the middle of a commit nobody knows whether it was done; but the claim of the next
     * transaction waits for the end of that one, and finds its answer if there is one.
     */
    public static boolean isRetryable(Throwable failure) {
        if (failure instanceof LeaseLost) {
            return true;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return isRetryable(sql.getSQLState(), sql.getErrorCode());
            }
        }
        return false;
    }

    private static boolean isRetryable(@Nullable String state, int code) {
        return CHANGED.contains(code)
                || (state != null && (state.startsWith(LOST) || state.startsWith(CUT) || SHUT_DOWN.contains(state)));
    }

    private RetryableFailures() {}
}
