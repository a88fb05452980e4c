// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.StoreException;
import io.semel.jdbc.SessionRows.Locked;
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

    /** How long a request waits, without a connection, for a session that others have for a moment; then it is told Held. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

    /** Many that are asked together wait no longer than this for one of them. */
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(100);

    private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(10);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Access access;
    private final SessionRows rows;
    private final RequestRows requests;
    private final SessionTrips trips;
    private final SessionCounts counts;
    private final SessionRegistry registry;
    private final SessionPurge purge;
    private final SessionScopes scopes;
    private final Looks looks;
    private final SessionQueue queue = new SessionQueue();

    private JdbcSessions(Access access, Dialect dialect, int mostSessions) {
        this.access = access;
        this.requests = new RequestRows(dialect);
        this.rows = new SessionRows(dialect, requests);
        this.trips = dialect == Dialect.POSTGRESQL
                ? new SessionsByFunction(access, rows)
                : new SessionsByRow(access, rows, requests, new LockWait(dialect));
        this.counts = new SessionCounts(dialect);
        this.registry = new SessionRegistry(rows, counts, mostSessions);
        this.purge = new SessionPurge(dialect, requests, counts, mostSessions);
        this.scopes = new SessionScopes(dialect, rows);
        this.looks = new Looks(dialect);
    }

    /** A store of up to so many sessions; refused if {@link Schema#createSessions} has not been applied there. */
    public static JdbcSessions on(DataSource source, int mostSessions) {
        Dialect dialect = Schema.checkSessions(source);
        return new JdbcSessions(Access.of(new Connections(source, dialect)), dialect, mostSessions);
    }

    /**
     * A store on the connection of the transaction that runs when it is asked. The requests of one session then wait for each
     * other's transactions: two of them from this process, for ten seconds at most (less where the database is told so); the others,
     * and those that waited in vain, are told that the session is held, and their transactions can go on.
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
        Registration first = tryToRegister(session, mostOfScope);
        boolean full = first == Registration.STORE_FULL || first == Registration.SCOPE_FULL;
        return full && purge(Integer.MAX_VALUE) > 0 ? tryToRegister(session, mostOfScope) : first;
    }

    private Registration tryToRegister(Session session, int mostOfScope) {
        return access.within(
                () -> "register a session", connection -> registry.register(connection, session, mostOfScope));
    }

    /** While a transaction has the session, its client is heard as well; only its mark has to wait for the next time. */
    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return Patience.ask(
                        LITTLE_PATIENCE,
                        () -> access.within(
                                () -> "keep a session alive", connection -> hear(connection, key, firstOutstanding)))
                .orElseGet(
                        () -> access.within(() -> "keep a session alive", connection -> hearBeside(connection, key)));
    }

    private Optional<State> hear(Connection connection, SessionKey key, long firstOutstanding) throws SQLException {
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

    private State hearBeside(Connection connection, SessionKey key) throws SQLException {
        Optional<Locked> known = rows.read(connection, key);
        if (known.isEmpty()) {
            return State.UNKNOWN;
        }
        if (!known.get().isLive()) {
            return State.EXPIRED;
        }
        requests.hear(connection, rows.id(key), known.get().state());
        return State.LIVE;
    }

    @Override
    public boolean close(SessionKey key) {
        return Patience.ask(
                        CLOSING_PATIENCE,
                        () -> access.within(() -> "close a session", connection -> registry.close(connection, key)))
                .orElseThrow(() -> StoreException.changedNothing(
                        "A session could not be closed, because a transaction has had it for "
                                + CLOSING_PATIENCE.toSeconds() + " seconds; close it when that has ended.",
                        null));
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        RequestKey asked = RequestKey.of(call.key());
        return access.level() == Level.JOINED
                ? trips.claim(asked, call, holder, lease)
                        .or(() -> queue.in(asked.session(), () -> trips.await(asked, call, holder, lease)))
                        .orElseGet(() -> held(call))
                : Patience.ask(MOST_PATIENCE, () -> trips.claim(asked, call, holder, lease))
                        .orElseGet(() -> held(call));
    }

    /** What the other transaction asks cannot be seen before it has ended; it is taken for the same. */
    private static Claim held(Call call) {
        return new Claim.Held(call.fingerprint(), RETRY_AFTER);
    }

    @Override
    public List<Claim> claimAll(List<Claiming> claimings) {
        if (access.level() == Level.JOINED) {
            return claimings.stream()
                    .map(each -> claim(each.call(), each.holder(), each.lease()))
                    .toList();
        }
        List<Optional<Claim>> claims = new ArrayList<>(trips.claimAll(claimings));
        Patience.ask(LITTLE_PATIENCE, () -> askAgain(claimings, claims));
        return IntStream.range(0, claims.size())
                .mapToObj(
                        i -> claims.get(i).orElseGet(() -> held(claimings.get(i).call())))
                .toList();
    }

    /** Empty while there are some whose session others have. */
    private Optional<Boolean> askAgain(List<Claiming> claimings, List<Optional<Claim>> claims) {
        List<Integer> open = IntStream.range(0, claims.size())
                .filter(i -> claims.get(i).isEmpty())
                .boxed()
                .toList();
        if (open.isEmpty()) {
            return Optional.of(true);
        }
        List<Optional<Claim>> answers =
                trips.claimAll(open.stream().map(claimings::get).toList());
        for (int i = 0; i < open.size(); i++) {
            claims.set(open.get(i), answers.get(i));
        }
        return claims.stream().allMatch(Optional::isPresent) ? Optional.of(true) : Optional.empty();
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        return trips.settle(RequestKey.of(key), holder, fence, settlement);
    }

    @Override
    public List<Boolean> settleAll(List<Settling> settlings) {
        return trips.settleAll(settlings);
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        return access.within(() -> "look at " + key, connection -> {
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
        return access.within(() -> "look at a session", connection -> scopes.look(connection, key));
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return access.within(() -> "list sessions", connection -> scopes.list(connection, scope, limit));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        boolean more = true;
        while (more && purged < limit) {
            int left = limit - purged;
            SessionPurge.Purged some =
                    access.within(() -> "purge sessions", connection -> purge.purge(connection, left));
            purged += some.count();
            more = some.more();
        }
        return purged;
    }

    @Override
    public Counts countSessions() {
        return access.within(() -> "count sessions", counts::count);
    }
}
