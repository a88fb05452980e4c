// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.rocksdb.internal.database.Database;
import io.semel.rocksdb.internal.format.RequestRow;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SessionCounts;
import io.semel.rocksdb.internal.format.SessionKeys;
import io.semel.rocksdb.internal.format.SessionKeys.Listed;
import io.semel.rocksdb.internal.format.SessionRow;
import io.semel.session.RequestState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** The changes to sessions in a batch; each request sees the changes of those before it. */
final class SessionChanges {

    private static final byte[] NOTHING = {};

    private final Database database;
    private final ColumnFamilyHandle family;
    private final WriteBatch batch;
    private final Map<RowId, Optional<SessionRow>> sessions = new HashMap<>();
    private final Map<Request, Optional<RequestState>> requests = new HashMap<>();
    /** Sessions that were registered in this batch, by scope. */
    private final Map<RowId, Set<RowId>> added = new HashMap<>();
    /** Sessions that ended in this batch, whose requests on disk no longer count. */
    private final Set<RowId> emptied = new HashSet<>();

    private final SessionCounts before;
    private SessionCounts counts;

    SessionChanges(Database database, WriteBatch batch) {
        this.database = database;
        this.family = database.sessionFamily();
        this.batch = batch;
        this.before = database.counts();
        this.counts = before;
    }

    @Nullable
    SessionRow session(RowId id) {
        Optional<SessionRow> changed = sessions.get(id);
        return changed != null ? changed.orElse(null) : database.session(id);
    }

    @Nullable
    RequestState request(RowId id, long number) {
        Optional<RequestState> changed = requests.get(new Request(id, number));
        if (changed != null) {
            return changed.orElse(null);
        }
        return emptied.contains(id) ? null : database.request(id, number);
    }

    RocksIterator entries() {
        return database.sessionEntries();
    }

    long live() {
        return counts.live();
    }

    /** The sessions of a scope that are not known to have ended. */
    Set<RowId> ofScope(RowId scope) {
        Set<RowId> all = database.sessionsOf(scope);
        all.addAll(added.getOrDefault(scope, Set.of()));
        all.removeIf(id -> sessions.containsKey(id) && !isLive(sessions.get(id)));
        return all;
    }

    private static boolean isLive(Optional<SessionRow> changed) {
        return changed.isPresent() && !changed.get().expired();
    }

    void insert(RowId id, SessionRow row) {
        RowId scope = scope(row);
        added.computeIfAbsent(scope, any -> new HashSet<>()).add(id);
        change(() -> batch.put(family, SessionKeys.ofScope(scope, id), NOTHING));
        change(() -> batch.put(family, new Listed(row.listed(), id).bytes(), NOTHING));
        write(id, row);
        counts = counts.plus(1, 0);
    }

    void update(RowId id, SessionRow before, SessionRow after) {
        if (!after.equals(before)) {
            write(id, after);
            counts = counts.plus(0, after.requests() - before.requests());
        }
    }

    void put(RowId id, long number, RequestState request) {
        change(() -> batch.put(family, SessionKeys.request(id, number), RequestRow.bytes(request)));
        requests.put(new Request(id, number), Optional.of(request));
    }

    void drop(RowId id, long number) {
        change(() -> batch.delete(family, SessionKeys.request(id, number)));
        requests.put(new Request(id, number), Optional.empty());
    }

    /** Remembers that the session existed, and nothing else of it. */
    void expire(RowId id, SessionRow row, long now) {
        empty(id, row);
        list(id, row, row.ended(now));
        counts = counts.plusExpired(1);
    }

    void list(RowId id, SessionRow row, SessionRow relisted) {
        unlist(id, row);
        change(() -> batch.put(family, new Listed(relisted.listed(), id).bytes(), NOTHING));
        write(id, relisted);
    }

    void remove(RowId id, SessionRow row) {
        empty(id, row);
        unlist(id, row);
        counts = counts.plusExpired(row.expired() ? -1 : 0);
        change(() -> batch.delete(family, SessionKeys.session(id)));
        sessions.put(id, Optional.empty());
    }

    private void empty(RowId id, SessionRow row) {
        if (row.expired()) {
            return;
        }
        if (row.requests() > 0) {
            change(() -> batch.deleteRange(family, SessionKeys.request(id, 0), SessionKeys.afterRequests(id)));
            requests.keySet().removeIf(each -> each.session.equals(id));
            emptied.add(id);
        }
        change(() -> batch.delete(family, SessionKeys.ofScope(scope(row), id)));
        counts = counts.plus(-1, -row.requests());
    }

    private static RowId scope(SessionRow row) {
        return SessionKeys.scope(row.state().session().key().scope());
    }

    private void unlist(RowId id, SessionRow row) {
        change(() -> batch.delete(family, new Listed(row.listed(), id).bytes()));
    }

    /** All entries up to this one are deleted or moved beyond it, so the next reader need not pass them. */
    void dropList(Listed last) {
        change(() -> batch.deleteRange(family, Listed.start(), last.after()));
    }

    void commit() throws RocksDBException {
        if (!counts.equals(before)) {
            batch.put(database.metaFamily(), SessionCounts.KEY, counts.bytes());
        }
    }

    private void write(RowId id, SessionRow row) {
        change(() -> batch.put(family, SessionKeys.session(id), row.bytes()));
        sessions.put(id, Optional.of(row));
    }

    private static void change(Change change) {
        try {
            change.make();
        } catch (RocksDBException e) {
            throw ChangeBatch.unwritable(e);
        }
    }

    private record Request(RowId session, long number) {}

    private interface Change {
        void make() throws RocksDBException;
    }
}
