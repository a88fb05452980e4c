// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Drops what has expired, by walking the index from its oldest entries: it never looks at anything that stays. */
final class Purge {

    private final Trip trip;
    private final int most;
    private int purged;

    private Purge(Trip trip, int most) {
        this.trip = trip;
        this.most = most;
    }

    static int run(Trip trip, int most) {
        Purge purge = new Purge(trip, most);
        purge.sweep(Index.GONE);
        purge.sweep(Index.SETTLED);
        return purge.purged;
    }

    private void sweep(byte list) {
        try (RocksIterator entries = trip.indexes()) {
            entries.seek(Index.start(list));
            for (Index first = next(entries, list); first != null && purged < most; first = next(entries, list)) {
                sweepTerm(entries, first);
                entries.seek(first.afterTerm());
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
    }

    private void sweepTerm(RocksIterator entries, Index first) {
        long due = first.dueSince(trip.now());
        Index last = null;
        for (Index entry = first;
                entry != null && first.isSameTerm(entry) && entry.since() <= due && purged < most;
                entry = next(entries, first.list())) {
            expire(entry);
            last = entry;
            entries.next();
        }
        if (last != null) {
            trip.dropAll(first.at(0, Id.LOWEST), last);
        }
    }

    private void expire(Index entry) {
        Row row = trip.unchangedRow(entry.id());
        if (row != null && Index.of(row, entry.id()).equals(entry)) {
            trip.expire(entry.id(), row, row.isFree(trip.now()) ? null : row.gone());
            purged++;
        }
    }

    private static @Nullable Index next(RocksIterator entries, byte list) {
        if (!entries.isValid()) {
            return null;
        }
        Index entry = Index.read(entries.key());
        return entry.list() == list ? entry : null;
    }
}
