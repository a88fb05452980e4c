// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.rocksdb.SessionPlace.Listed;
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

/** What the errands of a trip read and change of sessions; each sees what those before it changed. */
final class SessionChanges {

    private static final byte[] NOTHING = {};

    private final Database database;
    private final ColumnFamilyHandle family;
    private final WriteBatch batch;
    private final Map<Id, Optional<SessionRow>> sessions = new HashMap<>();
    private final Map<Request, Optional<RequestState>> requests = new HashMap<>();
    /** Sessions that were registered in this trip, by their scopes. */
    private final Map<Id, Set<Id>> added = new HashMap<>();
    /** Their requests on disk are those of sessions that ended in this trip. */
    private final Set<Id> emptied = new HashSet<>();

    private final Census before;
    private Census census;

    SessionChanges(Database database, WriteBatch batch) {
        this.database = database;
        this.family = database.sessionFamily();
        this.batch = batch;
        this.before = database.census();
        this.census = before;
    }

    @Nullable
    SessionRow session(Id id) {
        Optional<SessionRow> changed = sessions.get(id);
        return changed != null ? changed.orElse(null) : database.session(id);
    }

    @Nullable
    RequestState request(Id id, long number) {
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
        return census.live();
    }

    /** The sessions of a scope that are not known to have ended. */
    Set<Id> ofScope(Id scope) {
        Set<Id> all = database.sessionsOf(scope);
        all.addAll(added.getOrDefault(scope, Set.of()));
        all.removeIf(id -> sessions.containsKey(id) && !isLive(sessions.get(id)));
        return all;
    }

    private static boolean isLive(Optional<SessionRow> changed) {
        return changed.isPresent() && !changed.get().expired();
    }

    void insert(Id id, SessionRow row) {
        Id scope = scope(row);
        added.computeIfAbsent(scope, any -> new HashSet<>()).add(id);
        change(() -> batch.put(family, SessionPlace.ofScope(scope, id), NOTHING));
        change(() -> batch.put(family, new Listed(row.listed(), id).bytes(), NOTHING));
        write(id, row);
        census = census.plus(1, 0);
    }

    void update(Id id, SessionRow before, SessionRow after) {
        if (!after.equals(before)) {
            write(id, after);
            census = census.plus(0, after.requests() - before.requests());
        }
    }

    void put(Id id, long number, RequestState request) {
        change(() -> batch.put(family, SessionPlace.request(id, number), RequestRow.bytes(request)));
        requests.put(new Request(id, number), Optional.of(request));
    }

    void drop(Id id, long number) {
        change(() -> batch.delete(family, SessionPlace.request(id, number)));
        requests.put(new Request(id, number), Optional.empty());
    }

    /** It is remembered that the session was there, and nothing else of it. */
    void expire(Id id, SessionRow row, long now) {
        empty(id, row);
        list(id, row, row.ended(now));
        census = census.plusExpired(1);
    }

    void list(Id id, SessionRow row, SessionRow relisted) {
        unlist(id, row);
        change(() -> batch.put(family, new Listed(relisted.listed(), id).bytes(), NOTHING));
        write(id, relisted);
    }

    void remove(Id id, SessionRow row) {
        empty(id, row);
        unlist(id, row);
        census = census.plusExpired(row.expired() ? -1 : 0);
        change(() -> batch.delete(family, SessionPlace.session(id)));
        sessions.put(id, Optional.empty());
    }

    private void empty(Id id, SessionRow row) {
        if (row.expired()) {
            return;
        }
        if (row.requests() > 0) {
            change(() -> batch.deleteRange(family, SessionPlace.request(id, 0), SessionPlace.afterRequests(id)));
            requests.keySet().removeIf(each -> each.session.equals(id));
            emptied.add(id);
        }
        change(() -> batch.delete(family, SessionPlace.ofScope(scope(row), id)));
        census = census.plus(-1, -row.requests());
    }

    private static Id scope(SessionRow row) {
        return SessionPlace.scope(row.state().session().key().scope());
    }

    private void unlist(Id id, SessionRow row) {
        change(() -> batch.delete(family, new Listed(row.listed(), id).bytes()));
    }

    /** All entries of the list up to this one are dropped or moved beyond it: whoever reads it next need not pass them. */
    void dropList(Listed last) {
        change(() -> batch.deleteRange(family, Listed.START, last.after()));
    }

    void commit() throws RocksDBException {
        if (!census.equals(before)) {
            batch.put(database.metaFamily(), Census.KEY, census.bytes());
        }
    }

    private void write(Id id, SessionRow row) {
        change(() -> batch.put(family, SessionPlace.session(id), row.bytes()));
        sessions.put(id, Optional.of(row));
    }

    private static void change(Change change) {
        try {
            change.make();
        } catch (RocksDBException e) {
            throw Trip.unwritable(e);
        }
    }

    private record Request(Id session, long number) {}

    private interface Change {
        void make() throws RocksDBException;
    }
}
