// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.store.Settlement;
import io.semel.store.Store.Settling;
import org.jspecify.annotations.Nullable;

/** How a settlement is applied. */
final class Settles {

    static boolean applies(@Nullable Row row, Settling settling) {
        return row != null && row.isGrant(settling.holder(), settling.fence());
    }

    static boolean decide(Trip trip, Sight sight, Settling settling) {
        Row row = trip.row(sight);
        if (row == null || !applies(row, settling)) {
            return false;
        }
        trip.change(sight.id(), row, after(row, settling.settlement(), trip.now()));
        return true;
    }

    static boolean amend(Trip trip, Sight sight, byte[] seen, Settlement verdict) {
        Row row = trip.row(sight);
        if (row == null || row.until() <= trip.now() || !row.hasResult(seen)) {
            return false;
        }
        trip.change(sight.id(), row, after(row, verdict, trip.now()));
        return true;
    }

    private static @Nullable Row after(Row row, Settlement settlement, long now) {
        if (settlement instanceof Settlement.Complete complete) {
            return row.settled(complete.result(), complete.retention(), now);
        }
        return settlement instanceof Settlement.Renew renew ? row.renewed(Micros.after(now, renew.lease())) : null;
    }

    private Settles() {}
}
