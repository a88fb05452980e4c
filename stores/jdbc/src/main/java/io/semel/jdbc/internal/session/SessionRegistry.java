// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc.internal.session;

import io.semel.jdbc.internal.session.SessionRows.Locked;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore.Registration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Creates and removes sessions, and keeps the counts of both. */
public record SessionRegistry(SessionRows rows, SessionCounts counts, int most) {

    /** Changes the counts last, because other registrations then wait for them until this transaction ends. */
    public Registration register(Connection connection, Session session, int mostOfScope) throws SQLException {
        SessionKey key = session.key();
        Optional<Locked> known = rows.read(connection, key);
        if (known.isPresent()) {
            return known.get().isLive() ? Registration.LIVE : Registration.EXPIRED;
        }
        int shard = SessionCounts.anyShard();
        if (!rows.insert(connection, session, shard)) {
            // The same registration has just created it.
            return Registration.LIVE;
        }
        if (!counts.takeOfScope(connection, key.scope(), mostOfScope)) {
            rows.delete(connection, rows.id(key));
            return Registration.SCOPE_FULL;
        }
        int place = counts.takeOfAll(connection, shard, most);
        if (place < 0) {
            counts.changeScope(connection, counts.ofScope(key.scope()), -1);
            rows.delete(connection, rows.id(key));
            return Registration.STORE_FULL;
        }
        if (place != shard) {
            rows.place(connection, rows.id(key), place);
        }
        return Registration.LIVE;
    }

    /** False if the session had ended; empty if another transaction has locked it. */
    public Optional<Boolean> close(Connection connection, SessionKey key) throws SQLException {
        Optional<Locked> had = rows.lock(connection, key);
        if (had.isEmpty()) {
            return rows.isKnown(connection, key) ? Optional.empty() : Optional.of(false);
        }
        if (!rows.live(connection, had.get())) {
            return Optional.of(false);
        }
        int shard = rows.shard(connection, rows.id(key));
        rows.delete(connection, rows.id(key));
        counts.changeScope(connection, counts.ofScope(key.scope()), -1);
        counts.changeShard(connection, shard, -1, 0);
        return Optional.of(true);
    }
}
