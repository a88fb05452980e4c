// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.format.SessionKeys.Listed;
import io.semel.rocksdb.internal.format.SessionRow;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Visits the sessions that may have ended by now, in the order of their ends. */
public final class SessionSweep {

    private final SessionChanges changes;
    private final long now;
    private int steps;
    private int ended;

    SessionSweep(SessionChanges changes, long now) {
        this.changes = changes;
        this.now = now;
    }

    /** Continues until fewer sessions live than this; false if that cannot be achieved. */
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
            entries.seek(Listed.start());
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

    /** Lists a session again that lives on; a session listed elsewhere has already been handled in this batch. */
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

    /** The number of sessions that had ended, and whether there may be more. */
    public record Swept(int ended, boolean more) {}
}
