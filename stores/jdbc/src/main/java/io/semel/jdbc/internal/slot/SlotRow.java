// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.slot;

import io.semel.Call;
import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.jdbc.internal.sql.SqlValues;
import io.semel.store.Claim;
import io.semel.store.Slot;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A slot as stored in the table, and the server's time at which it was read. */
public record SlotRow(
        Fingerprint print,
        long fence,
        int attempts,
        byte @Nullable [] holder,
        long since,
        long until,
        long forget,
        byte @Nullable [] result,
        long now) {

    /** Reads the columns print, fence, attempts, holder, since, until, forget, result and now. */
    public static SlotRow read(ResultSet columns) throws SQLException {
        return new SlotRow(
                Fingerprint.ofDigest(SqlValues.binary16(columns, "print")),
                columns.getLong("fence"),
                columns.getInt("attempts"),
                columns.getBytes("holder"),
                columns.getLong("since"),
                columns.getLong("until"),
                columns.getLong("forget"),
                columns.getBytes("result"),
                columns.getLong("now"));
    }

    /** Whether nothing but the fence is remembered. */
    public boolean isFree() {
        return holder == null && forget <= now;
    }

    public boolean isHeldBy(byte[] token) {
        return Arrays.equals(holder, token);
    }

    /** Whether its lease has run out and this call may take it over. */
    public boolean isAbandonedTo(Call call) {
        return holder != null && until <= now && print.equals(call.fingerprint());
    }

    /** The answer to a claim that is not granted. */
    public Claim known() {
        if (holder != null) {
            return new Claim.Held(print, left(until));
        }
        return until > now && result != null
                ? new Claim.Settled(print, result, left(until))
                : new Claim.Settled(print, null, left(forget));
    }

    public Slot slot(Key key) {
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
        return end == SqlValues.FOREVER ? Retention.FOREVER : Duration.of(Math.max(0, end - now), ChronoUnit.MICROS);
    }
}
