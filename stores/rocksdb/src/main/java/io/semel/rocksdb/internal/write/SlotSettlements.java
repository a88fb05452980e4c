// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.ObservedRow;
import io.semel.rocksdb.internal.format.Micros;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.store.Settlement;
import io.semel.store.Store.Settling;
import org.jspecify.annotations.Nullable;

/** Decides settlements and amendments within a batch. */
public final class SlotSettlements {

    public static boolean applies(@Nullable SlotRow row, Settling settling) {
        return row != null && row.isGrant(settling.holder(), settling.fence());
    }

    public static boolean decide(ChangeBatch batch, ObservedRow observed, Settling settling) {
        SlotRow row = batch.row(observed);
        if (row == null || !applies(row, settling)) {
            return false;
        }
        batch.change(observed.id(), row, after(row, settling.settlement(), batch.now()));
        return true;
    }

    public static boolean amend(ChangeBatch batch, ObservedRow observed, byte[] seen, Settlement verdict) {
        SlotRow row = batch.row(observed);
        if (row == null || row.until() <= batch.now() || !row.hasResult(seen)) {
            return false;
        }
        batch.change(observed.id(), row, after(row, verdict, batch.now()));
        return true;
    }

    private static @Nullable SlotRow after(SlotRow row, Settlement settlement, long now) {
        if (settlement instanceof Settlement.Complete complete) {
            return row.settled(complete.result(), complete.retention(), now);
        }
        return settlement instanceof Settlement.Renew renew ? row.renewed(Micros.after(now, renew.lease())) : null;
    }

    private SlotSettlements() {}
}
