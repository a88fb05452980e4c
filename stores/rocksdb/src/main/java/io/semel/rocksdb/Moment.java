// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.rocksdb.SessionPlace.Listed;
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

/** Everything as it was at a moment, while others go on writing. */
final class Moment implements AutoCloseable {

    private final Database database;
    private final Snapshot snapshot;
    private final ReadOptions options;

    Moment(Database database) {
        this.database = database;
        this.snapshot = database.snapshot();
        this.options = new ReadOptions().setSnapshot(snapshot);
    }

    Meta meta() {
        return database.meta(options);
    }

    @Nullable
    Row row(Index entry) {
        return database.row(entry.id(), options);
    }

    long size() {
        return database.size();
    }

    /** Goes through the entries of a list, from one term to the next. */
    void walk(byte list, Walk walk) {
        try (RocksIterator entries = database.indexes(options)) {
            entries.seek(Index.start(list));
            for (Index first = entry(entries, list); first != null; first = entry(entries, list)) {
                entries.seek(walk.start(first));
                walkTerm(entries, first, walk);
                entries.seek(first.afterTerm());
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
    }

    /** What was counted, less what has ended since without anybody having noticed. */
    SessionStore.Counts sessions(long now) {
        Census census = database.census(options);
        try (RocksIterator entries = database.sessionEntries(options)) {
            entries.seek(Listed.START);
            for (Listed due = Listed.at(entries); due != null && due.when() <= now; due = Listed.at(entries)) {
                SessionRow row = database.session(due.id(), options);
                if (row != null && !row.expired() && !row.isLive(now)) {
                    census = census.plus(-1, -row.requests());
                }
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
        return new SessionStore.Counts(census.live(), census.requests(), census.expired());
    }

    Set<Id> sessionsOf(Id scope) {
        return database.sessionsOf(scope, options);
    }

    /** A session that lives, as an operator sees it. */
    Optional<SessionView> session(Id id, long now) {
        SessionRow row = database.session(id, options);
        return row == null || !row.isLive(now)
                ? Optional.empty()
                : Optional.of(SessionView.of(row.state(), requests(id), now));
    }

    private SortedMap<Long, RequestState> requests(Id id) {
        SortedMap<Long, RequestState> requests = new TreeMap<>();
        try (RocksIterator entries = database.sessionEntries(options)) {
            entries.seek(SessionPlace.request(id, 0));
            for (Long number = SessionPlace.number(id, entries);
                    number != null;
                    number = SessionPlace.number(id, entries)) {
                requests.put(number, RequestRow.read(entries.value()));
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw Database.unreadable(e);
        }
        return requests;
    }

    private static void walkTerm(RocksIterator entries, Index first, Predicate<Index> walk) {
        for (Index entry = entry(entries, first.list());
                entry != null && first.isSameTerm(entry) && walk.test(entry);
                entry = entry(entries, first.list())) {
            entries.next();
        }
    }

    private static @Nullable Index entry(RocksIterator entries, byte list) {
        if (!entries.isValid()) {
            return null;
        }
        Index entry = Index.read(entries.key());
        return entry.list() == list ? entry : null;
    }

    @Override
    public void close() {
        options.close();
        database.release(snapshot);
    }

    /** Where to start in a term, given any entry of it, and whether to go on after an entry. */
    interface Walk extends Predicate<Index> {

        default byte[] start(Index anyOfTerm) {
            return anyOfTerm.at(0, Id.LOWEST).bytes();
        }
    }
}
