// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells a database that cannot be reached from one that has no connection to spare. */
final class Unreachable {

    /** The server is there but takes no more sessions; some report that with a state of class 08. */
    private static final String REJECTED = "08004";
    /** PostgreSQL while it starts or stops. */
    private static final String CANNOT_CONNECT_NOW = "57P03";

    /** For a connection that could not be had: nothing was asked, whatever the reason. */
    static StoreException orBusy(String message, Throwable cause) {
        return isUnreachable(cause)
                ? StoreException.unreachable(message, cause)
                : StoreException.changedNothing(message, cause);
    }

    /** A pool that is exhausted reports no state; one that fails to connect reports the driver's, or has it as its cause. */
    private static boolean isUnreachable(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                String state = sql.getSQLState();
                return (state.startsWith("08") && !state.equals(REJECTED)) || state.equals(CANNOT_CONNECT_NOW);
            }
        }
        return false;
    }

    private Unreachable() {}
}
