// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import io.semel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * A {@link SessionStore} in this process's memory, gone with the process, so its level is BEST_EFFORT.
 *
 * <p>It is bounded by the number of sessions, and each of them by its window. That a session has expired is remembered for a
 * while, of as many sessions as may live; then it is unknown.
 */
public final class MemorySessions implements InspectableSessions {

    private final int most;
    private final Time time;
    private final long origin;
    private final Instant born = Instant.now();
    private final ConcurrentMap<SessionKey, Requests> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger live = new AtomicInteger();
    private final ConcurrentMap<String, Integer> scopes = new ConcurrentHashMap<>();
    /** Those that live, by a time never later than they end; and those that have expired, by when that is forgotten. */
    private final Agenda due = new Agenda();

    private final Agenda ended = new Agenda();

    /** A store of up to so many sessions. */
    public MemorySessions(int mostSessions) {
        this(mostSessions, Time.system());
    }

    /** A store that follows the given time; for tests. */
    public MemorySessions(int mostSessions, Time time) {
        this.most = mostSessions;
        this.time = time;
        this.origin = time.nanos();
    }

    /**
     * A store that goes on where another one was when it gave this snapshot, in the same time: what {@link Time#nanos} says must go
     * on too, as it does where the time is that of a replicated log.
     */
    public static MemorySessions restored(byte[] snapshot, int mostSessions, Time time) {
        MemorySessions store = new MemorySessions(mostSessions, time);
        for (Snapshot.Kept each : Snapshot.read(snapshot)) {
            Requests requests = new Requests(each);
            store.sessions.put(each.state().session().key(), requests);
            if (requests.isLive()) {
                store.live.incrementAndGet();
                store.places(each.state().session().key().scope(), taken -> taken + 1);
                store.due.add(requests, requests.until());
            } else {
                store.ended.add(requests, requests.forgotten());
            }
        }
        return store;
    }

    /** All sessions and their requests as bytes, the same ones for the same sessions; to be taken while nobody else is here. */
    public byte[] snapshot() {
        return Snapshot.of(sessions.values().stream()
                .map(requests -> with(requests, (each, now) -> each.kept()))
                .sorted(Comparator.comparing((Snapshot.Kept kept) ->
                                kept.state().session().key().scope())
                        .thenComparing(kept -> kept.state().session().key().id()))
                .toList());
    }

    @Override
    public Level level() {
        return Level.BEST_EFFORT;
    }

    @Override
    public Instant now() {
        return born.plusNanos(nanos() - origin);
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        Requests known = sessions.get(session.key());
        if (known == null) {
            Registration place = takePlace(session.key().scope(), mostOfScope);
            if (place != Registration.LIVE && purge(Integer.MAX_VALUE) > 0) {
                place = takePlace(session.key().scope(), mostOfScope);
            }
            if (place != Registration.LIVE) {
                return place;
            }
            Requests fresh = new Requests(session, nanos());
            synchronized (fresh) {
                known = sessions.putIfAbsent(session.key(), fresh);
                if (known == null) {
                    due.add(fresh, fresh.until());
                    return Registration.LIVE;
                }
            }
            givePlaceBack(session.key().scope());
        }
        return with(
                known, (requests, now) -> requests.state(now) == State.LIVE ? Registration.LIVE : Registration.EXPIRED);
    }

    private Registration takePlace(String scope, int mostOfScope) {
        if (live.getAndUpdate(taken -> Math.min(most, taken + 1)) >= most) {
            return Registration.STORE_FULL;
        }
        int before = places(scope, taken -> Math.min(Math.max(taken, mostOfScope), taken + 1));
        if (before < mostOfScope) {
            return Registration.LIVE;
        }
        live.decrementAndGet();
        return Registration.SCOPE_FULL;
    }

    private void givePlaceBack(String scope) {
        live.decrementAndGet();
        places(scope, taken -> taken - 1);
    }

    /** Changes how many sessions of a scope live; how many there were. A scope without any is forgotten. */
    private int places(String scope, IntUnaryOperator change) {
        int[] before = new int[1];
        scopes.compute(scope, (any, taken) -> {
            before[0] = taken == null ? 0 : taken;
            int after = change.applyAsInt(before[0]);
            return after == 0 ? null : after;
        });
        return before[0];
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        return at(key, State.UNKNOWN, (requests, now) -> {
            State state = requests.state(now);
            if (state == State.LIVE) {
                requests.hear(firstOutstanding, now);
            }
            return state;
        });
    }

    @Override
    public boolean close(SessionKey key) {
        return at(key, false, (requests, now) -> {
            boolean live = requests.state(now) == State.LIVE;
            if (live) {
                requests.end(State.UNKNOWN);
                sessions.remove(key, requests);
            }
            return live;
        });
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        Claiming.check(holder, lease);
        RequestKey asked = RequestKey.of(call.key());
        return at(asked.session(), new Claim.Refused(Reason.SESSION_UNKNOWN), (requests, now) -> switch (requests.state(
                now)) {
            case LIVE -> requests.claim(call, asked.number(), holder, lease, now);
            case EXPIRED -> new Claim.Refused(Reason.SESSION_EXPIRED);
            case UNKNOWN -> new Claim.Refused(Reason.SESSION_UNKNOWN);
        });
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        RequestKey asked = RequestKey.of(key);
        return at(
                asked.session(),
                false,
                (requests, now) -> requests.state(now) == State.LIVE
                        && requests.settle(asked.number(), holder, fence, settlement, now));
    }

    @Override
    public Optional<Claim> peek(Key key) {
        RequestKey asked = RequestKey.of(key);
        return at(
                asked.session(),
                Optional.empty(),
                (requests, now) ->
                        requests.state(now) == State.LIVE ? requests.peek(asked.number(), now) : Optional.empty());
    }

    /** Forgets the requests of sessions that have expired, and in the end that they were. */
    @Override
    public int purge(int limit) {
        int purged = 0;
        Requests next = purged < limit ? due.pollDue(nanos()) : null;
        while (next != null) {
            purged += with(next, this::isEnded) ? 1 : 0;
            next = purged < limit ? due.pollDue(nanos()) : null;
        }
        while (purged < limit && forgetNext(nanos())) {
            purged++;
        }
        return purged;
    }

    /** Whether one that was due has ended; else it is listed again. */
    private boolean isEnded(Requests requests, long now) {
        boolean lived = requests.isLive();
        if (requests.state(now) == State.LIVE) {
            due.add(requests, requests.until());
            return false;
        }
        return lived;
    }

    /** Forgets an expired session, if there is one that is remembered no longer than until then. */
    private boolean forgetNext(long until) {
        Requests first = ended.pollDue(until);
        return first != null && sessions.remove(first.key(), first);
    }

    @Override
    public Counts countSessions() {
        long requests = 0;
        for (Requests each : sessions.values()) {
            requests += with(each, (session, now) -> session.state(now) == State.LIVE ? session.size() : 0);
        }
        return new Counts(live.get(), requests, ended.size());
    }

    @Override
    public Optional<SessionView> look(SessionKey key) {
        return at(key, Optional.empty(), MemorySessions::view);
    }

    @Override
    public List<SessionView> list(String scope, int limit) {
        return sessions.values().stream()
                .filter(each -> each.scope().equals(scope))
                .flatMap(each -> with(each, MemorySessions::view).stream())
                .limit(limit)
                .toList();
    }

    private static Optional<SessionView> view(Requests requests, long now) {
        return requests.state(now) == State.LIVE ? Optional.of(requests.view(now)) : Optional.empty();
    }

    private <T> T at(SessionKey key, T nothing, Act<T> act) {
        Requests requests = sessions.get(key);
        return requests == null ? nothing : with(requests, act);
    }

    /** One at a time in each session; a session that ends meanwhile gives its place back. */
    private <T> T with(Requests requests, Act<T> act) {
        synchronized (requests) {
            boolean lived = requests.isLive();
            try {
                return act.on(requests, nanos());
            } finally {
                if (lived && !requests.isLive()) {
                    givePlaceBack(requests.scope());
                    due.remove(requests);
                    remember(requests);
                }
            }
        }
    }

    /** A session that expired, unless that is forgotten already; the one that is to be forgotten first makes room for it. */
    private void remember(Requests requests) {
        if (requests.isClosed()) {
            return;
        }
        if (requests.forgotten() <= nanos()) {
            sessions.remove(requests.key(), requests);
            return;
        }
        ended.add(requests, requests.forgotten());
        if (ended.size() > most) {
            forgetNext(Long.MAX_VALUE);
        }
    }

    private long nanos() {
        return time.nanos();
    }

    /** What to do with a session, and when it is. */
    @FunctionalInterface
    private interface Act<T> {

        T on(Requests requests, long now);
    }
}
