// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.Call;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A claim as the parameters of a statement. */
public record ClaimParameters(
        Call call,
        Object id,
        Object print,
        byte[] holder,
        long lease,
        byte @Nullable [] scope,
        byte @Nullable [] name) {

    public static ClaimParameters of(SqlDialect dialect, Call call, String holder, Duration lease) {
        return new ClaimParameters(
                call,
                dialect.binary16(call.key().hash()),
                dialect.binary16(call.fingerprint().toBytes()),
                SqlValues.holder(holder),
                SqlValues.micros(lease),
                call.key().scope().getBytes(StandardCharsets.UTF_8),
                call.key().id().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The answer while another transaction uses the slot and its fingerprint cannot be read yet; the fingerprint is taken to
     * be the same.
     */
    public Claim.Held inUse() {
        return new Claim.Held(call.fingerprint(), Duration.of(lease, ChronoUnit.MICROS));
    }

    /** The same without the readable key, where nobody may read it. */
    public ClaimParameters hidden(boolean hides) {
        return hides ? new ClaimParameters(call, id, print, holder, lease, null, null) : this;
    }

    /** The same with a lease that ends at once, which leaves an abandoned slot. */
    public ClaimParameters abandoned() {
        return new ClaimParameters(call, id, print, holder, 0, scope, name);
    }

    /** The number of the advisory lock that a joined call holds on its key until its transaction ends. */
    public long lock() {
        return ByteBuffer.wrap(call.key().hash()).getLong();
    }
}
