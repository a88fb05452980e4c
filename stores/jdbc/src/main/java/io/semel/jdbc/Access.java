// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Level;
import java.util.function.Supplier;

/** Whose transaction it is. */
interface Access {

    Level level();

    <T> T within(Supplier<String> what, Connections.Action<T> action);

    /** For what is one statement. */
    <T> T saying(Supplier<String> what, Connections.Action<T> action);

    static Access of(Connections own) {
        return new Access() {
            @Override
            public Level level() {
                return Level.LEASED;
            }

            @Override
            public <T> T within(Supplier<String> what, Connections.Action<T> action) {
                return own.committing(what, action);
            }

            @Override
            public <T> T saying(Supplier<String> what, Connections.Action<T> action) {
                return own.autocommitting(what, action);
            }
        };
    }

    static Access of(Joined joined) {
        return new Access() {
            @Override
            public Level level() {
                return Level.JOINED;
            }

            @Override
            public <T> T within(Supplier<String> what, Connections.Action<T> action) {
                return joined.within(what.get(), action);
            }

            @Override
            public <T> T saying(Supplier<String> what, Connections.Action<T> action) {
                return within(what, action);
            }
        };
    }
}
