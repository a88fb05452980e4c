// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.Call;
import io.semel.rocksdb.internal.database.ObservedRow;
import io.semel.rocksdb.internal.format.Micros;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.store.Claim;
import io.semel.store.Store.Claiming;
import org.jspecify.annotations.Nullable;

/** Decides claims within a batch. */
public final class SlotClaims {

    /** Null if the slot would be granted, which only a batch can do. */
    public static @Nullable Claim known(@Nullable SlotRow row, Call call, String holder, long now) {
        if (row == null || row.isFree(now) || row.isHeldBy(holder)) {
            return null;
        }
        boolean lapsed = row.isHeld() && row.until() <= now && row.hasPrint(call.fingerprint());
        return lapsed ? null : row.claim(now);
    }

    public static Claim decide(ChangeBatch batch, ObservedRow observed, Claiming claiming) {
        SlotRow row = batch.row(observed);
        Claim known = known(row, claiming.call(), claiming.holder(), batch.now());
        if (known != null) {
            return known;
        }
        return row != null && row.isHeldBy(claiming.holder())
                ? repeat(batch, observed.id(), row, claiming)
                : grant(batch, observed.id(), row, claiming);
    }

    private static Claim repeat(ChangeBatch batch, RowId id, SlotRow row, Claiming claiming) {
        batch.change(id, row, row.renewed(Micros.after(batch.now(), claiming.lease())));
        return new Claim.Granted(row.fence(), row.attempts() > 1);
    }

    private static Claim grant(ChangeBatch batch, RowId id, @Nullable SlotRow row, Claiming claiming) {
        int attempts = row != null && row.isHeld() ? row.attempts() + 1 : 1;
        long fence = batch.nextFence();
        Call call = claiming.call();
        long until = Micros.after(batch.now(), claiming.lease());
        batch.change(
                id,
                row,
                SlotRow.held(call.key(), call.fingerprint(), claiming.holder(), fence, attempts, batch.now(), until));
        return new Claim.Granted(fence, attempts > 1);
    }

    private SlotClaims() {}
}
