// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.rocksdb.SessionPlace.Listed;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Goes through the sessions that may have ended by now, those first that were to end first. */
final class Sweep {

    private final SessionChanges changes;
    private final long now;
    private int steps;
    private int ended;

    Sweep(SessionChanges changes, long now) {
        this.changes = changes;
        this.now = now;
    }

    /** Goes on until fewer sessions live than this; false if there are as many. */
    boolean makesRoom(int most) {
        run(() -> changes.live() < most);
        return changes.live() < most;
    }

    Swept purge(int mostEnded, int mostSteps) {
        run(() -> ended == mostEnded || steps == mostSteps);
        return new Swept(ended, steps == mostSteps);
    }

    private void run(BooleanSupplier enough) {
        try (RocksIterator entries = changes.entries()) {
            entries.seek(Listed.START);
            Listed last = null;
            for (Listed due = due(entries); due != null && !enough.getAsBoolean(); due = due(entries)) {
                ended += isEnded(due) ? 1 : 0;
                steps++;
                last = due;
                entries.next();
            }
            entries.status();
            if (last != null) {
                changes.dropList(last);
            }
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
    }

    private @Nullable Listed due(RocksIterator entries) {
        Listed entry = Listed.at(entries);
        return entry != null && entry.when() <= now ? entry : null;
    }

    /** A session that goes on is listed again; one whose entry is another by now was seen to in this trip. */
    private boolean isEnded(Listed entry) {
        SessionRow row = changes.session(entry.id());
        if (row == null || row.listed() != entry.when()) {
            return false;
        }
        if (row.isOver(now)) {
            changes.remove(entry.id(), row);
        } else if (row.isLive(now)) {
            changes.list(entry.id(), row, row.listedAgain());
            return false;
        } else {
            changes.expire(entry.id(), row, now);
        }
        return true;
    }

    /** How many sessions had ended, and whether there may be more. */
    record Swept(int ended, boolean more) {}
}
