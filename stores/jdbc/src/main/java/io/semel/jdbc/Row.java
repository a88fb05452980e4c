// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A slot as the table has it, and the server's time at which it was read. */
record Row(
        Fingerprint print,
        long fence,
        int attempts,
        byte @Nullable [] holder,
        long since,
        long until,
        long forget,
        byte @Nullable [] result,
        long now) {

    /** For spans that never end; nothing is ever added to it. */
    static final long FOREVER = Long.MAX_VALUE;

    /** Reads the columns print, fence, attempts, holder, since, until, forget, result and now. */
    static Row read(ResultSet columns) throws SQLException {
        return new Row(
                Fingerprint.ofDigest(binary16(columns, "print")),
                columns.getLong("fence"),
                columns.getInt("attempts"),
                columns.getBytes("holder"),
                columns.getLong("since"),
                columns.getLong("until"),
                columns.getLong("forget"),
                columns.getBytes("result"),
                columns.getLong("now"));
    }

    /** A uuid or binary(16), whichever the column is. */
    static byte[] binary16(ResultSet columns, String name) throws SQLException {
        Object value = columns.getObject(name);
        if (value instanceof java.util.UUID uuid) {
            return new Fingerprint(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()).toBytes();
        }
        return (byte[]) value;
    }

    /** Whether nothing is remembered but the fence. */
    boolean isFree() {
        return holder == null && forget <= now;
    }

    boolean isHeldBy(byte[] token) {
        return Arrays.equals(holder, token);
    }

    /** Whether its holder fell silent, and this call may have it. */
    boolean isAbandonedTo(Call call) {
        return holder != null && until <= now && print.equals(call.fingerprint());
    }

    /** What a claim that is not granted is told. */
    Claim known() {
        if (holder != null) {
            return new Claim.Held(print, left(until));
        }
        return until > now && result != null
                ? new Claim.Settled(print, result, left(until))
                : new Claim.Settled(print, null, left(forget));
    }

    Slot slot(Key key) {
        Slot.State state = state();
        boolean keepsResult = state == Slot.State.SETTLED || state == Slot.State.UNKNOWN;
        return new Slot(
                key,
                print,
                state,
                fence,
                attempts,
                holder == null ? null : new String(holder, StandardCharsets.US_ASCII),
                Duration.of(Math.max(0, now - since), ChronoUnit.MICROS),
                left(state == Slot.State.GONE ? forget : until),
                keepsResult ? result : null);
    }

    private Slot.State state() {
        if (holder != null) {
            return until <= now ? Slot.State.LAPSED : Slot.State.HELD;
        }
        return Slot.State.ofResult(until > now ? result : null);
    }

    private Duration left(long end) {
        return end == FOREVER ? Retention.FOREVER : Duration.of(Math.max(0, end - now), ChronoUnit.MICROS);
    }

    static long micros(Duration span) {
        return span.equals(Retention.FOREVER) ? FOREVER : span.toNanos() / 1000;
    }
}
