// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** How a dialect claims; in statements that commit one by one. */
interface Claims {

    Claim claim(Connection connection, Claiming claiming) throws SQLException;

    static Claims of(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? new PostgresClaims() : new StepwiseClaims(dialect);
    }

    /** A claim as parameters of a statement. */
    record Claiming(Call call, Object id, Object print, byte[] holder, long lease, byte[] scope, byte[] name) {

        private static final int MOST_HOLDER = 64;

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

        static byte[] token(String holder) {
            byte[] token = holder.getBytes(StandardCharsets.US_ASCII);
            if (token.length == 0 || token.length > MOST_HOLDER) {
                throw new IllegalArgumentException(
                        "A holder has 1 to 64 ASCII characters, this one has " + token.length + ".");
            }
            return token;
        }
    }
}
