// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.rocksdb.internal.format.IndexKey;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.rocksdb.internal.format.StoreState;
import io.semel.store.Inspectable.Counts;
import io.semel.store.Slot;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts without a full scan: rows with and without a result are counted as they are written, so only slots in flight,
 * unknown ones, and expired ones that are not purged yet are read.
 */
public final class SlotCounts {

    /** At most so many expired slots are told apart; if purging lags further behind, the rest counts as unexpired. */
    private static final int MOST_OVER = 10_000;

    private final StoreSnapshot snapshot;
    private final long now;
    private final Map<Slot.State, Long> slots = new EnumMap<>(Slot.State.class);
    private int over;

    private SlotCounts(StoreSnapshot snapshot, long now) {
        this.snapshot = snapshot;
        this.now = now;
    }

    public static Counts of(StoreSnapshot snapshot, long now) {
        return new SlotCounts(snapshot, now).count();
    }

    private Counts count() {
        StoreState meta = snapshot.meta();
        slots.put(Slot.State.SETTLED, meta.settled());
        slots.put(Slot.State.GONE, meta.gone());
        snapshot.walk(IndexKey.HELD, this::countByRow);
        snapshot.walk(IndexKey.UNKNOWN, this::countUnknown);
        snapshot.walk(IndexKey.SETTLED, this::moveWhatIsOver);
        snapshot.walk(IndexKey.GONE, this::leaveOutWhatIsForgotten);
        return Counts.of(slots, snapshot.size());
    }

    private boolean countByRow(IndexKey entry) {
        SlotRow row = snapshot.row(entry);
        if (row != null) {
            add(row.state(now), 1);
        }
        return true;
    }

    /** Unknown slots are among the settled ones and, after their retention, among the gone ones. */
    private boolean countUnknown(IndexKey entry) {
        SlotRow row = snapshot.row(entry);
        if (row != null && row.until() > now) {
            add(Slot.State.UNKNOWN, 1);
            add(Slot.State.SETTLED, -1);
        }
        return true;
    }

    private boolean moveWhatIsOver(IndexKey entry) {
        if (over == MOST_OVER || entry.since() > entry.dueSince(now)) {
            return false;
        }
        over++;
        add(Slot.State.SETTLED, -1);
        if (entry.since() > entry.forgottenSince(now)) {
            add(Slot.State.GONE, 1);
        }
        return true;
    }

    private boolean leaveOutWhatIsForgotten(IndexKey entry) {
        if (over == MOST_OVER || entry.since() > entry.forgottenSince(now)) {
            return false;
        }
        over++;
        add(Slot.State.GONE, -1);
        return true;
    }

    private void add(Slot.State state, long more) {
        slots.merge(state, more, Long::sum);
    }
}
