// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Claim;
import io.semel.Key;
import io.semel.Level;
import io.semel.Settlement;
import io.semel.jdbc.SessionRows.Locked;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SessionStore} in a database: in short transactions of its own, or joined to the caller's, so that effect, answer and
 * mark commit together.
 */
public final class JdbcSessions implements InspectableSessions {

    private final Access access;
    private final SessionRows rows;
    private final SessionTrips trips;
    private final SessionCounts counts;
    private final SessionScopes scopes;
    private final Looks looks;
    private final int most;

    private JdbcSessions(Access access, Dialect dialect, int mostSessions) {
        this.access = access;
        this.rows = new SessionRows(dialect);
        this.trips =
                dialect == Dialect.POSTGRESQL ? new SessionsByFunction(access, rows) : new SessionsByRow(access, rows);
        this.counts = new SessionCounts(dialect);
        this.scopes = new SessionScopes(dialect, rows);
        this.looks = new Looks(dialect);
        this.most = mostSessions;
    }

    /** A store of up to so many sessions; refused if {@link Schema#createSessions} has not been applied there. */
    public static JdbcSessions on(DataSource source, int mostSessions) {
        Dialect dialect = Schema.checkSessions(source);
        return new JdbcSessions(Access.of(new Connections(source, dialect)), dialect, mostSessions);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked. The requests of one session then wait for each
     * other's transactions.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     */
    public static JdbcSessions joined(
            Supplier<? extends @Nullable Connection> current, Dialect dialect, int mostSessions) {
        return new JdbcSessions(Access.of(new Joined(current, dialect)), dialect, mostSessions);
    }

    @Override
    public Level level() {
        return access.level();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(access.within(() -> "tell the time", looks::now), ChronoUnit.MICROS);
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        return access.within(() -> "register a session", connection -> {
            counts.alone(connection);
            Optional<Locked> known = rows.lock(connection, session.key());
            if (known.isPresent()) {
                return known.get().isLive() ? Registration.LIVE : Registration.EXPIRED;
            }
            if (counts.live(connection) >= most) {
                return Registration.STORE_FULL;
            }
            if (mostOfScope < most && scopes.live(connection, session.key().scope()) >= mostOfScope) {
                return Registration.SCOPE_FULL;
            }
            rows.insert(connection, session);
            return Registration.LIVE;
        });
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return access.within(() -> "keep a session alive", connection -> {
            Optional<Locked> known = rows.lock(connection, key);
            if (known.isEmpty()) {
                return State.UNKNOWN;
            }
            Locked session = known.get();
            if (!rows.live(connection, session)) {
                return State.EXPIRED;
            }
            rows.become(connection, session, session.state().heard(firstOutstanding, session.now()));
            return State.LIVE;
        });
    }

    @Override
    public boolean close(SessionKey key) {
        return access.within(() -> "close a session", connection -> {
            Optional<Locked> known = rows.lock(connection, key);
            boolean live = known.isPresent() && rows.live(connection, known.get());
            if (live) {
                rows.delete(connection, rows.id(key));
            }
            return live;
        });
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        return trips.claim(RequestKey.of(call.key()), call, holder, lease);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return trips.settle(RequestKey.of(key), key, holder, fence, settlement);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        return access.within(() -> "look at " + key, connection -> {
            Optional<Locked> known = rows.lock(connection, asked.session());
            if (known.isEmpty() || !known.get().isLive()) {
                return Optional.empty();
            }
            Locked session = known.get();
            return Optional.ofNullable(rows.request(connection, asked.session(), asked.number()))
                    .map(request -> request.known(session.state(), session.now()));
        });
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return access.within(() -> "look at a session", connection -> scopes.look(connection, key));
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return access.within(() -> "list sessions", connection -> scopes.list(connection, scope, limit));
    }

    @Override
    public int purge(int limit) {
        return access.within(() -> "purge sessions", connection -> counts.purge(connection, rows, limit));
    }

    @Override
    public Counts countSessions() {
        return access.within(() -> "count sessions", counts::count);
    }
}
