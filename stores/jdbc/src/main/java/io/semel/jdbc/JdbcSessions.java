// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.jdbc.internal.session.Backoff;
import io.semel.jdbc.internal.session.LockWait;
import io.semel.jdbc.internal.session.RequestRows;
import io.semel.jdbc.internal.session.RequestsByFunction;
import io.semel.jdbc.internal.session.RequestsByRow;
import io.semel.jdbc.internal.session.SessionCounts;
import io.semel.jdbc.internal.session.SessionPurge;
import io.semel.jdbc.internal.session.SessionQueue;
import io.semel.jdbc.internal.session.SessionRegistry;
import io.semel.jdbc.internal.session.SessionRequests;
import io.semel.jdbc.internal.session.SessionRows;
import io.semel.jdbc.internal.session.SessionRows.Locked;
import io.semel.jdbc.internal.session.SessionViews;
import io.semel.jdbc.internal.slot.Lookups;
import io.semel.jdbc.internal.sql.Connections;
import io.semel.jdbc.internal.sql.JoinedTransaction;
import io.semel.jdbc.internal.sql.SqlDialect;
import io.semel.jdbc.internal.sql.TransactionMode;
import io.semel.session.InspectableSessions;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.session.SessionView;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SessionStore} in a database: in short transactions of its own, or joined to the caller's, so that effect, answer and
 * mark commit together.
 */
public final class JdbcSessions implements InspectableSessions {

    /** How long a request waits, without a connection, for a locked session before it is told Held. */
    private static final Duration MOST_WAIT = Duration.ofSeconds(1);

    /** A batch waits no longer than this for a single session. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    private static final Duration CLOSING_WAIT = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final TransactionMode mode;
    private final SessionRows rows;
    private final RequestRows requests;
    private final SessionRequests sessionRequests;
    private final SessionCounts counts;
    private final SessionRegistry registry;
    private final SessionPurge purge;
    private final SessionViews views;
    private final Lookups lookups;
    private final SessionQueue queue = new SessionQueue();

    private JdbcSessions(TransactionMode mode, SqlDialect dialect, int mostSessions) {
        this.mode = mode;
        this.requests = new RequestRows(dialect);
        this.rows = new SessionRows(dialect, requests);
        this.sessionRequests = dialect == SqlDialect.POSTGRESQL
                ? new RequestsByFunction(mode, rows)
                : new RequestsByRow(mode, rows, requests, new LockWait(dialect));
        this.counts = new SessionCounts(dialect);
        this.registry = new SessionRegistry(rows, counts, mostSessions);
        this.purge = new SessionPurge(dialect, requests, counts, mostSessions);
        this.views = new SessionViews(dialect, rows);
        this.lookups = new Lookups(dialect);
    }

    /** A store for up to this many sessions; refused if {@link Schema#createSessions} has not been applied there. */
    public static JdbcSessions on(DataSource source, int mostSessions) {
        SqlDialect dialect = Schema.checkSessions(source).sql();
        return new JdbcSessions(TransactionMode.of(new Connections(source, dialect)), dialect, mostSessions);
    }

    /**
     * A store on the connection of the running transaction. The requests of one session then wait for each other's
     * transactions: two of them in this process, for at most ten seconds (less if the database is configured so); all
     * others, and those whose wait timed out, are told that the session is held, and their transactions can go on.
     *
     * @param current gives that connection, such as the one that Spring has bound to the thread
     */
    public static JdbcSessions joined(
            Supplier<? extends @Nullable Connection> current, Dialect dialect, int mostSessions) {
        return new JdbcSessions(
                TransactionMode.of(new JoinedTransaction(current, dialect.sql())), dialect.sql(), mostSessions);
    }

    @Override
    public Level level() {
        return mode.level();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(mode.inTransaction(() -> "read the time", lookups::now), ChronoUnit.MICROS);
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        Registration first = tryToRegister(session, mostOfScope);
        boolean full = first == Registration.STORE_FULL || first == Registration.SCOPE_FULL;
        return full && purge(Integer.MAX_VALUE) > 0 ? tryToRegister(session, mostOfScope) : first;
    }

    private Registration tryToRegister(Session session, int mostOfScope) {
        return mode.inTransaction(
                () -> "register a session", connection -> registry.register(connection, session, mostOfScope));
    }

    /** While a transaction holds the session, the heartbeat still counts; only the mark waits for the next time. */
    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return Backoff.retry(
                        SHORT_WAIT,
                        () -> mode.inTransaction(
                                () -> "keep a session alive",
                                connection -> heartbeat(connection, key, firstOutstanding)))
                .orElseGet(() -> mode.inTransaction(
                        () -> "keep a session alive", connection -> recordHeartbeat(connection, key)));
    }

    private Optional<State> heartbeat(Connection connection, SessionKey key, long firstOutstanding)
            throws SQLException {
        Optional<Locked> had = rows.lock(connection, key);
        if (had.isEmpty()) {
            return rows.isKnown(connection, key) ? Optional.empty() : Optional.of(State.UNKNOWN);
        }
        Locked session = had.get();
        if (!rows.live(connection, session)) {
            return Optional.of(State.EXPIRED);
        }
        rows.become(connection, session, session.state().heard(firstOutstanding, session.now()));
        return Optional.of(State.LIVE);
    }

    private State recordHeartbeat(Connection connection, SessionKey key) throws SQLException {
        Optional<Locked> known = rows.read(connection, key);
        if (known.isEmpty()) {
            return State.UNKNOWN;
        }
        if (!known.get().isLive()) {
            return State.EXPIRED;
        }
        requests.heartbeat(connection, rows.id(key), known.get().state());
        return State.LIVE;
    }

    @Override
    public boolean close(SessionKey key) {
        return Backoff.retry(
                        CLOSING_WAIT,
                        () -> mode.inTransaction(
                                () -> "close a session", connection -> registry.close(connection, key)))
                .orElseThrow(() -> StoreException.changedNothing(
                        "The session was not closed, because a transaction has locked it for "
                                + CLOSING_WAIT.toSeconds() + " seconds; close it after that transaction has ended.",
                        null));
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        RequestKey asked = RequestKey.of(call.key());
        return mode.level() == Level.JOINED
                ? sessionRequests
                        .claim(asked, call, holder, lease)
                        .or(() -> queue.in(asked.session(), () -> sessionRequests.await(asked, call, holder, lease)))
                        .orElseGet(() -> held(call))
                : Backoff.retry(MOST_WAIT, () -> sessionRequests.claim(asked, call, holder, lease))
                        .orElseGet(() -> held(call));
    }

    /** The other transaction's fingerprint cannot be read before it has ended; it is taken to be the same. */
    private static Claim held(Call call) {
        return new Claim.Held(call.fingerprint(), RETRY_AFTER);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        if (mode.level() == Level.JOINED) {
            return claimings.stream()
                    .map(each -> claim(each.call(), each.holder(), each.lease()))
                    .toList();
        }
        List<Optional<Claim>> claims = new ArrayList<>(sessionRequests.claimAll(claimings));
        Backoff.retry(SHORT_WAIT, () -> retryLocked(claimings, claims));
        return IntStream.range(0, claims.size())
                .mapToObj(
                        i -> claims.get(i).orElseGet(() -> held(claimings.get(i).call())))
                .toList();
    }

    /** Empty while the session of some request is locked. */
    private Optional<Boolean> retryLocked(List<Claiming> claimings, List<Optional<Claim>> claims) {
        List<Integer> open = IntStream.range(0, claims.size())
                .filter(i -> claims.get(i).isEmpty())
                .boxed()
                .toList();
        if (open.isEmpty()) {
            return Optional.of(true);
        }
        List<Optional<Claim>> answers =
                sessionRequests.claimAll(open.stream().map(claimings::get).toList());
        for (int i = 0; i < open.size(); i++) {
            claims.set(open.get(i), answers.get(i));
        }
        return claims.stream().allMatch(Optional::isPresent) ? Optional.of(true) : Optional.empty();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return sessionRequests.settle(RequestKey.of(key), holder, fence, settlement);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return sessionRequests.settleAll(settlings);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        return mode.inTransaction(() -> "look up " + key, connection -> {
            Optional<Locked> known = rows.read(connection, asked.session());
            if (known.isEmpty() || !known.get().isLive()) {
                return Optional.empty();
            }
            Locked session = known.get();
            return requests.look(connection, asked)
                    .flatMap(found -> Optional.ofNullable(found.state()))
                    .map(request -> request.known(session.state(), session.now()));
        });
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return mode.inTransaction(() -> "look up a session", connection -> views.look(connection, key));
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return mode.inTransaction(() -> "list sessions", connection -> views.list(connection, scope, limit));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        boolean more = true;
        while (more && purged < limit) {
            int left = limit - purged;
            SessionPurge.Purged some =
                    mode.inTransaction(() -> "purge sessions", connection -> purge.purge(connection, left));
            purged += some.count();
            more = some.more();
        }
        return purged;
    }

    @Override
    public Counts countSessions() {
        return mode.inTransaction(() -> "count sessions", counts::count);
    }
}
