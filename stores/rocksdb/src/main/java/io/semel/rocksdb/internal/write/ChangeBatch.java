// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.database.ObservedRow;
import io.semel.rocksdb.internal.format.IndexKey;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.rocksdb.internal.format.StoreState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** The changes of a batch of requests; each request sees the changes of those before it. */
public final class ChangeBatch implements AutoCloseable {

    private static final byte[] NOTHING = {};

    private final Database database;
    private final long now;
    private final WriteBatch batch = new WriteBatch();
    private final Map<RowId, Changed> changes = new HashMap<>();
    private @Nullable SessionChanges sessions;
    private StoreState meta;
    private boolean timeMatters;

    ChangeBatch(Database database, StoreState meta, StoreClock clock) {
        this.database = database;
        this.meta = meta.at(clock.micros(), clock.date());
        this.now = this.meta.time();
    }

    long now() {
        return now;
    }

    /** The current row, without reading the disk if the observed row is still current. */
    @Nullable
    SlotRow row(ObservedRow observed) {
        Changed changed = changes.get(observed.id());
        if (changed != null) {
            return changed.row;
        }
        return observed.isCurrent(database) ? observed.row() : database.row(observed.id());
    }

    /** The row as it was before this batch, for entries read from the index; null if the batch changes it. */
    @Nullable
    SlotRow unchangedRow(RowId id) {
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

    void change(RowId id, @Nullable SlotRow before, @Nullable SlotRow after) {
        IndexKey old = before == null ? null : IndexKey.of(before, id);
        IndexKey young = after == null ? null : IndexKey.of(after, id);
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

    /** Changes rows whose index entries are deleted together by {@link #dropAll}. */
    void expire(RowId id, SlotRow before, @Nullable SlotRow after) {
        try {
            write(id, before, after);
            if (after != null) {
                batch.put(database.indexFamily(), IndexKey.of(after, id).bytes(), NOTHING);
            }
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    void dropAll(IndexKey first, IndexKey last) {
        try {
            batch.deleteRange(database.indexFamily(), first.bytes(), last.after());
        } catch (RocksDBException e) {
            throw unwritable(e);
        }
    }

    /** Each claim is listed once and unlisted once, so that both entries can vanish before they reach the disk. */
    private void drop(IndexKey index) throws RocksDBException {
        if (index.list() == IndexKey.HELD) {
            batch.singleDelete(database.indexFamily(), index.bytes());
        } else {
            batch.delete(database.indexFamily(), index.bytes());
        }
    }

    private void write(RowId id, @Nullable SlotRow before, @Nullable SlotRow after) throws RocksDBException {
        if (before != null && before.isUnknown()) {
            batch.delete(database.indexFamily(), IndexKey.unknown(before, id).bytes());
        }
        if (after == null) {
            batch.delete(database.rowFamily(), id.bytes());
        } else {
            batch.put(database.rowFamily(), id.bytes(), after.bytes());
            if (after.isUnknown()) {
                batch.put(database.indexFamily(), IndexKey.unknown(after, id).bytes(), NOTHING);
            }
        }
        meta = meta.counting(settled(after) - settled(before), gone(after) - gone(before));
        changes.put(id, new Changed(after));
    }

    private static int settled(@Nullable SlotRow row) {
        return row != null && row.hasResult() ? 1 : 0;
    }

    private static int gone(@Nullable SlotRow row) {
        return row != null && !row.isHeld() && !row.hasResult() ? 1 : 0;
    }

    /** Writes the time even if nothing else changes. */
    boolean noteTime() {
        timeMatters = true;
        return true;
    }

    boolean hasChanges() {
        return timeMatters || batch.count() > 0;
    }

    /** Writes all or nothing; everything is on disk when this returns. */
    StoreState commit() throws RocksDBException {
        batch.put(database.metaFamily(), StoreState.KEY, meta.bytes());
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

    private record Changed(@Nullable SlotRow row) {}
}
