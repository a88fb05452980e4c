// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.store.Inspectable.Counts;
import io.semel.store.Slot;
import java.util.EnumMap;
import java.util.Map;

/**
 * Counts without going through everything: rows with and without a result are counted as they are written, so only what
 * is in flight, what is unknown and what has expired but is not purged yet is looked at.
 */
final class Counting {

    /** What is over and not purged yet is told from the rest up to so many; where purging lags, the rest counts as it was. */
    private static final int MOST_OVER = 10_000;

    private final Moment moment;
    private final long now;
    private final Map<Slot.State, Long> slots = new EnumMap<>(Slot.State.class);
    private int over;

    private Counting(Moment moment, long now) {
        this.moment = moment;
        this.now = now;
    }

    static Counts of(Moment moment, long now) {
        return new Counting(moment, now).count();
    }

    private Counts count() {
        Meta meta = moment.meta();
        slots.put(Slot.State.SETTLED, meta.settled());
        slots.put(Slot.State.GONE, meta.gone());
        moment.walk(Index.HELD, this::countByRow);
        moment.walk(Index.UNKNOWN, this::countUnknown);
        moment.walk(Index.SETTLED, this::moveWhatIsOver);
        moment.walk(Index.GONE, this::leaveOutWhatIsForgotten);
        return Counts.of(slots, moment.size());
    }

    private boolean countByRow(Index entry) {
        Row row = moment.row(entry);
        if (row != null) {
            add(row.state(now), 1);
        }
        return true;
    }

    /** What is settled as unknown is among the settled; once it is over it is among what is gone. */
    private boolean countUnknown(Index entry) {
        Row row = moment.row(entry);
        if (row != null && row.until() > now) {
            add(Slot.State.UNKNOWN, 1);
            add(Slot.State.SETTLED, -1);
        }
        return true;
    }

    private boolean moveWhatIsOver(Index entry) {
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

    private boolean leaveOutWhatIsForgotten(Index entry) {
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
