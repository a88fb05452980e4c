// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** What many errands change, gathered into one batch; each sees what those before it changed. */
final class Trip implements AutoCloseable {

    private static final byte[] NOTHING = {};

    private final Database database;
    private final long now;
    private final WriteBatch batch = new WriteBatch();
    private final Map<Id, Changed> changes = new HashMap<>();
    private @Nullable SessionChanges sessions;
    private Meta meta;
    private boolean timeMatters;

    Trip(Database database, Meta meta, StoreClock clock) {
        this.database = database;
        this.meta = meta.at(clock.micros(), clock.date());
        this.now = this.meta.time();
    }

    long now() {
        return now;
    }

    /** The row as it is now, without asking the disk where what was seen is still so. */
    @Nullable
    Row row(Sight sight) {
        Changed changed = changes.get(sight.id());
        if (changed != null) {
            return changed.row;
        }
        return sight.isCurrent(database) ? sight.row() : database.row(sight.id());
    }

    /** The row as it was before this trip; for those who looked for it in the index. */
    @Nullable
    Row unchangedRow(Id id) {
        return changes.containsKey(id) ? null : database.row(id);
    }

    SessionChanges sessions() {
        SessionChanges known = sessions;
        if (known == null) {
            known = new SessionChanges(database, batch);
            sessions = known;
        }
        return known;
    }

    RocksIterator indexes() {
        return database.indexes();
    }

    long nextFence() {
        meta = meta.granting();
        return meta.fence();
    }

    void change(Id id, @Nullable Row before, @Nullable Row after) {
        Index old = before == null ? null : Index.of(before, id);
        Index young = after == null ? null : Index.of(after, id);
        try {
            if (old != null && !old.equals(young)) {
                drop(old);
            }
            write(id, before, after);
            if (young != null && !young.equals(old)) {
                batch.put(database.indexFamily(), young.bytes(), NOTHING);
            }
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    /** Changes rows whose index entries are all dropped at once by {@link #dropAll}. */
    void expire(Id id, Row before, @Nullable Row after) {
        try {
            write(id, before, after);
            if (after != null) {
                batch.put(database.indexFamily(), Index.of(after, id).bytes(), NOTHING);
            }
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    void dropAll(Index first, Index last) {
        try {
            batch.deleteRange(database.indexFamily(), first.bytes(), last.after());
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    /** Each claim is listed once and dropped once, so that both can vanish before they ever reach the disk. */
    private void drop(Index index) throws RocksDBException {
        if (index.list() == Index.HELD) {
            batch.singleDelete(database.indexFamily(), index.bytes());
        } else {
            batch.delete(database.indexFamily(), index.bytes());
        }
    }

    private void write(Id id, @Nullable Row before, @Nullable Row after) throws RocksDBException {
        if (before != null && before.isUnknown()) {
            batch.delete(database.indexFamily(), Index.unknown(before, id).bytes());
        }
        if (after == null) {
            batch.delete(database.rowFamily(), id.bytes());
        } else {
            batch.put(database.rowFamily(), id.bytes(), after.bytes());
            if (after.isUnknown()) {
                batch.put(database.indexFamily(), Index.unknown(after, id).bytes(), NOTHING);
            }
        }
        meta = meta.counting(settled(after) - settled(before), gone(after) - gone(before));
        changes.put(id, new Changed(after));
    }

    private static int settled(@Nullable Row row) {
        return row != null && row.hasResult() ? 1 : 0;
    }

    private static int gone(@Nullable Row row) {
        return row != null && !row.isHeld() && !row.hasResult() ? 1 : 0;
    }

    /** Has the time written even if nothing else changes. */
    boolean noteTime() {
        timeMatters = true;
        return true;
    }

    boolean hasChanges() {
        return timeMatters || batch.count() > 0;
    }

    /** All or nothing, and on disk when it returns. */
    Meta commit() throws RocksDBException {
        batch.put(database.metaFamily(), Meta.KEY, meta.bytes());
        if (sessions != null) {
            sessions.commit();
        }
        changes.keySet().forEach(database.recent()::changing);
        database.write(batch);
        changes.forEach((id, changed) -> database.recent().changed(id, changed.row));
        return meta;
    }

    @Override
    public void close() {
        batch.close();
    }

    static IllegalStateException unwritable(RocksDBException e) {
        return new IllegalStateException("A change cannot be added to a batch: " + e.getMessage(), e);
    }

    private record Changed(@Nullable Row row) {}
}
