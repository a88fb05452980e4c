// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a dialect claims; in statements that commit one by one. */
interface Claims {

    Claim claim(Connection connection, Claiming claiming) throws SQLException;

    /** A claim as parameters of a statement. */
    record Claiming(
            Call call,
            Object id,
            Object print,
            byte[] holder,
            long lease,
            byte @Nullable [] scope,
            byte @Nullable [] name) {

        static Claiming of(Dialect dialect, Call call, String holder, Duration lease) {
            return new Claiming(
                    call,
                    dialect.binary16(call.key().hash()),
                    dialect.binary16(call.fingerprint().toBytes()),
                    token(holder),
                    Row.micros(lease),
                    call.key().scope().getBytes(StandardCharsets.UTF_8),
                    call.key().id().getBytes(StandardCharsets.UTF_8));
        }

        /** The same without the key in words, where nobody shall read it. */
        Claiming hidden(boolean hides) {
            return hides ? new Claiming(call, id, print, holder, lease, null, null) : this;
        }

        static byte[] token(String holder) {
            return holder.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
