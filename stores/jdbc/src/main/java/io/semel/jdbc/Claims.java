// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.store.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** How a dialect claims; in statements that commit one by one. */
interface Claims {

    Claim claim(Connection connection, Claiming claiming) throws SQLException;

    /** The number of the advisory lock that a joined call has on its key until its transaction ends. */
    static long lock(Claiming claiming) {
        return ByteBuffer.wrap(claiming.call().key().hash()).getLong();
    }

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

        /** What a claim is told while somebody is at the slot whose words cannot be seen yet; they are taken for the same. */
        Claim.Held inUse() {
            return new Claim.Held(call.fingerprint(), Duration.of(lease, ChronoUnit.MICROS));
        }

        /** The same without the key in words, where nobody shall read it. */
        Claiming hidden(boolean hides) {
            return hides ? new Claiming(call, id, print, holder, lease, null, null) : this;
        }

        /** The same with a lease that is over at once, which leaves the slot as one whose holder fell silent. */
        Claiming abandoned() {
            return new Claiming(call, id, print, holder, 0, scope, name);
        }

        static byte[] token(String holder) {
            return holder.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
