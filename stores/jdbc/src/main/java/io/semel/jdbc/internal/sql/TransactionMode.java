// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.sql;

import io.semel.Level;
import java.util.function.Supplier;

/** Whether statements run in short transactions of the store's own or in the caller's transaction. */
public interface TransactionMode {

    Level level();

    <T> T inTransaction(Supplier<String> what, Connections.Action<T> action);

    /** For an action that is a single statement. */
    <T> T inStatement(Supplier<String> what, Connections.Action<T> action);

    static TransactionMode of(Connections own) {
        return new TransactionMode() {
            @Override
            public Level level() {
                return Level.LEASED;
            }

            @Override
            public <T> T inTransaction(Supplier<String> what, Connections.Action<T> action) {
                return own.committing(what, action);
            }

            @Override
            public <T> T inStatement(Supplier<String> what, Connections.Action<T> action) {
                return own.autocommitting(what, action);
            }
        };
    }

    static TransactionMode of(JoinedTransaction joined) {
        return new TransactionMode() {
            @Override
            public Level level() {
                return Level.JOINED;
            }

            @Override
            public <T> T inTransaction(Supplier<String> what, Connections.Action<T> action) {
                return joined.within(what.get(), action);
            }

            @Override
            public <T> T inStatement(Supplier<String> what, Connections.Action<T> action) {
                return inTransaction(what, action);
            }
        };
    }
}
