// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.format.IndexKey;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SlotRow;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Deletes expired rows by walking the index from its oldest entries, without reading rows that stay. */
public final class SlotPurge {

    private final ChangeBatch batch;
    private final int most;
    private int purged;

    private SlotPurge(ChangeBatch batch, int most) {
        this.batch = batch;
        this.most = most;
    }

    public static int run(ChangeBatch batch, int most) {
        SlotPurge purge = new SlotPurge(batch, most);
        purge.sweep(IndexKey.GONE);
        purge.sweep(IndexKey.SETTLED);
        return purge.purged;
    }

    private void sweep(byte list) {
        try (RocksIterator entries = batch.indexes()) {
            entries.seek(IndexKey.start(list));
            for (IndexKey first = next(entries, list); first != null && purged < most; first = next(entries, list)) {
                sweepTerm(entries, first);
                entries.seek(first.afterTerm());
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
    }

    private void sweepTerm(RocksIterator entries, IndexKey first) {
        long due = first.dueSince(batch.now());
        IndexKey last = null;
        for (IndexKey entry = first;
                entry != null && first.isSameTerm(entry) && entry.since() <= due && purged < most;
                entry = next(entries, first.list())) {
            expire(entry);
            last = entry;
            entries.next();
        }
        if (last != null) {
            batch.dropAll(first.at(0, RowId.LOWEST), last);
        }
    }

    private void expire(IndexKey entry) {
        SlotRow row = batch.unchangedRow(entry.id());
        if (row != null && IndexKey.of(row, entry.id()).equals(entry)) {
            batch.expire(entry.id(), row, row.isFree(batch.now()) ? null : row.gone());
            purged++;
        }
    }

    private static @Nullable IndexKey next(RocksIterator entries, byte list) {
        if (!entries.isValid()) {
            return null;
        }
        IndexKey entry = IndexKey.read(entries.key());
        return entry.list() == list ? entry : null;
    }
}
