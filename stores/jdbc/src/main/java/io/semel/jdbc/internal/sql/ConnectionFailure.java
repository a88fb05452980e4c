// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import io.semel.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells an unreachable database from an exhausted pool. */
public final class ConnectionFailure {

    /** For a connection that could not be obtained: no statement was sent, whatever the reason. */
    public static StoreException of(String message, Throwable cause) {
        return isUnreachable(cause)
                ? StoreException.unreachable(message, cause)
                : StoreException.changedNothing(message, cause);
    }

    /** An exhausted pool reports no state; a pool that cannot connect reports the driver's, or has it as a cause. */
    private static boolean isUnreachable(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return SqlStates.isUnreachable(sql.getSQLState());
            }
        }
        return false;
    }

    private ConnectionFailure() {}
}
