// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.database;

import io.semel.rocksdb.internal.format.IndexKey;
import io.semel.rocksdb.internal.format.RequestRow;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SessionCounts;
import io.semel.rocksdb.internal.format.SessionKeys;
import io.semel.rocksdb.internal.format.SessionKeys.Listed;
import io.semel.rocksdb.internal.format.SessionRow;
import io.semel.rocksdb.internal.format.SlotRow;
import io.semel.rocksdb.internal.format.StoreState;
import io.semel.session.RequestState;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

/** A consistent view of everything while writes continue. */
public final class StoreSnapshot implements AutoCloseable {

    private final Database database;
    private final Snapshot snapshot;
    private final ReadOptions options;

    public StoreSnapshot(Database database) {
        this.database = database;
        this.snapshot = database.snapshot();
        this.options = new ReadOptions().setSnapshot(snapshot);
    }

    StoreState meta() {
        return database.meta(options);
    }

    @Nullable
    SlotRow row(IndexKey entry) {
        return database.row(entry.id(), options);
    }

    long size() {
        return database.size();
    }

    /** Visits the entries of a list, term by term. */
    void walk(byte list, Walk walk) {
        try (RocksIterator entries = database.indexes(options)) {
            entries.seek(IndexKey.start(list));
            for (IndexKey first = entry(entries, list); first != null; first = entry(entries, list)) {
                entries.seek(walk.start(first));
                walkTerm(entries, first, walk);
                entries.seek(first.afterTerm());
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
    }

    /** The stored counts, less the sessions that have ended unnoticed since. */
    public SessionStore.Counts sessions(long now) {
        SessionCounts counts = database.counts(options);
        try (RocksIterator entries = database.sessionEntries(options)) {
            entries.seek(Listed.start());
            for (Listed due = Listed.at(entries); due != null && due.when() <= now; due = Listed.at(entries)) {
                SessionRow row = database.session(due.id(), options);
                if (row != null && !row.expired() && !row.isLive(now)) {
                    counts = counts.plus(-1, -row.requests());
                }
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
        return new SessionStore.Counts(counts.live(), counts.requests(), counts.expired());
    }

    public Set<RowId> sessionsOf(RowId scope) {
        return database.sessionsOf(scope, options);
    }

    /** A live session, as an operator sees it. */
    public Optional<SessionView> session(RowId id, long now) {
        SessionRow row = database.session(id, options);
        return row == null || !row.isLive(now)
                ? Optional.empty()
                : Optional.of(SessionView.of(row.state(), requests(id), now));
    }

    private SortedMap<Long, RequestState> requests(RowId id) {
        SortedMap<Long, RequestState> requests = new TreeMap<>();
        try (RocksIterator entries = database.sessionEntries(options)) {
            entries.seek(SessionKeys.request(id, 0));
            for (Long number = SessionKeys.number(id, entries);
                    number != null;
                    number = SessionKeys.number(id, entries)) {
                requests.put(number, RequestRow.read(entries.value()));
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
        return requests;
    }

    private static void walkTerm(RocksIterator entries, IndexKey first, Predicate<IndexKey> walk) {
        for (IndexKey entry = entry(entries, first.list());
                entry != null && first.isSameTerm(entry) && walk.test(entry);
                entry = entry(entries, first.list())) {
            entries.next();
        }
    }

    private static @Nullable IndexKey entry(RocksIterator entries, byte list) {
        if (!entries.isValid()) {
            return null;
        }
        IndexKey entry = IndexKey.read(entries.key());
        return entry.list() == list ? entry : null;
    }

    @Override
    public void close() {
        options.close();
        database.release(snapshot);
    }

    /** The entry of a term to start at, and whether to continue after an entry. */
    interface Walk extends Predicate<IndexKey> {

        default byte[] start(IndexKey anyOfTerm) {
            return anyOfTerm.at(0, RowId.LOWEST).bytes();
        }
    }
}
