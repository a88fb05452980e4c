// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.store.Claim;
import io.semel.store.Store.Claiming;
import org.jspecify.annotations.Nullable;

/** How a claim is decided. */
final class Claims {

    /** Null if the slot would be granted, which only a trip can do. */
    static @Nullable Claim known(@Nullable Row row, Call call, String holder, long now) {
        if (row == null || row.isFree(now) || row.isHeldBy(holder)) {
            return null;
        }
        boolean lapsed = row.isHeld() && row.until() <= now && row.hasPrint(call.fingerprint());
        return lapsed ? null : row.claim(now);
    }

    static Claim decide(Trip trip, Sight sight, Claiming claiming) {
        Row row = trip.row(sight);
        Claim known = known(row, claiming.call(), claiming.holder(), trip.now());
        if (known != null) {
            return known;
        }
        return row != null && row.isHeldBy(claiming.holder())
                ? repeat(trip, sight.id(), row, claiming)
                : grant(trip, sight.id(), row, claiming);
    }

    private static Claim repeat(Trip trip, Id id, Row row, Claiming claiming) {
        trip.change(id, row, row.renewed(Micros.after(trip.now(), claiming.lease())));
        return new Claim.Granted(row.fence(), row.attempts() > 1);
    }

    private static Claim grant(Trip trip, Id id, @Nullable Row row, Claiming claiming) {
        int attempts = row != null && row.isHeld() ? row.attempts() + 1 : 1;
        long fence = trip.nextFence();
        Call call = claiming.call();
        long until = Micros.after(trip.now(), claiming.lease());
        trip.change(
                id,
                row,
                Row.held(call.key(), call.fingerprint(), claiming.holder(), fence, attempts, trip.now(), until));
        return new Claim.Granted(fence, attempts > 1);
    }

    private Claims() {}
}
