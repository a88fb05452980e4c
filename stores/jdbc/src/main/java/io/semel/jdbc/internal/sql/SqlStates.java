// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The SQL states and error codes of the databases, each named once. */
public final class SqlStates {

    /** The state of a connection that is used after its transaction has ended. */
    public static final String NO_CONNECTION = "08003";

    public static final String DUPLICATE_KEY = "23505";
    public static final String NULL_VALUE = "23502";
    /** A statement has failed in the transaction, which answers nothing more. */
    public static final String FAILED_TRANSACTION = "25P02";

    public static final String SERIALIZATION_FAILURE = "40001";

    static final String LOCK_TIMEOUT = "55P03";
    static final int H2_LOCK_TIMEOUT = 50200;
    static final int H2_CONCURRENT_UPDATE = 90131;
    static final int MARIADB_CHANGED_SINCE = 1020;
    static final int MARIADB_DUPLICATE_KEY = 1062;
    static final int MARIADB_LOCK_TIMEOUT = 1205;
    static final int MARIADB_DEADLOCK = 1213;

    private static final String DEADLOCK = "40P01";
    private static final Set<String> SAFE_TO_REPEAT = Set.of(SERIALIZATION_FAILURE, DEADLOCK);

    /** The server is up but accepts no more sessions; some report that with a state of class 08. */
    private static final String REJECTED = "08004";
    /** PostgreSQL while it starts or stops. */
    private static final String CANNOT_CONNECT_NOW = "57P03";

    private static final String CONNECTION_CLASS = "08";

    /** Classes that only a server's refusal has, after which nothing was kept: data, constraints, state, syntax, raised. */
    private static final Set<String> REFUSAL_CLASSES = Set.of("22", "23", "25", "42", "44", "P0");
    /** Lost connections and servers that are stopping. */
    private static final Set<String> LOSS_CLASSES = Set.of(CONNECTION_CLASS, "57P");

    static boolean isSafeToRepeat(@Nullable String state) {
        return state != null && SAFE_TO_REPEAT.contains(state);
    }

    static boolean isUnreachable(String state) {
        return (state.startsWith(CONNECTION_CLASS) && !state.equals(REJECTED)) || state.equals(CANNOT_CONNECT_NOW);
    }

    /** Whether the server has refused a statement, so that nothing of its transaction was kept. */
    public static boolean isRefusal(SQLException e) {
        return isOf(REFUSAL_CLASSES, e);
    }

    /** Whether the connection was lost. */
    public static boolean isLoss(SQLException e) {
        return isOf(LOSS_CLASSES, e);
    }

    private static boolean isOf(Set<String> classes, SQLException e) {
        String state = e.getSQLState();
        return state != null && classes.stream().anyMatch(state::startsWith);
    }

    private SqlStates() {}
}
