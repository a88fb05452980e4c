// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import io.semel.Call;
import io.semel.Key;
import io.semel.Level;
import io.semel.Outcome.Reason;
import io.semel.session.RequestKey;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore;
import io.semel.simulator.World;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The store, with a judge beside it who knows of each session only what was said to the store and what it answered. */
final class Watched implements SessionStore {

    private final World world;
    private final SessionStore store;
    private final Map<SessionKey, Known> sessions = new HashMap<>();

    Watched(World world, SessionStore store) {
        this.world = world;
        this.store = store;
    }

    @Override
    public Registration register(Session session, int mostOfScope) {
        Registration registered = store.register(session, mostOfScope);
        if (registered == Registration.LIVE) {
            sessions.computeIfAbsent(session.key(), key -> new Known(session));
        }
        return registered;
    }

    @Override
    public Claim claim(Call call, String holder, Duration lease) {
        RequestKey asked = RequestKey.of(call.key());
        Known known = sessions.get(asked.session());
        Claim claim = store.claim(call, holder, lease);
        if (known == null) {
            check(isRefused(claim, Reason.SESSION_UNKNOWN), SessionInvariant.ENDED, asked, claim);
            return claim;
        }
        if (claim instanceof Claim.Refused refused) {
            judge(known, asked, call, refused.reason());
        } else {
            check(!known.ended, SessionInvariant.ENDED, asked, claim);
            known.mark = Math.max(known.mark, call.firstOutstanding());
        }
        if (claim instanceof Claim.Granted) {
            judgeGrant(known, asked, claim);
        }
        return claim;
    }

    private void judge(Known known, RequestKey asked, Call call, Reason reason) {
        if (reason == Reason.SESSION_EXPIRED || reason == Reason.SESSION_UNKNOWN) {
            known.ended = true;
            return;
        }
        known.mark = Math.max(known.mark, call.firstOutstanding());
        check(
                reason != Reason.STALE || asked.number() < known.mark,
                SessionInvariant.NOT_FORGOTTEN,
                asked,
                reason + ", and the mark is " + known.mark);
    }

    private void judgeGrant(Known known, RequestKey asked, Claim claim) {
        long number = asked.number();
        boolean within = number >= known.mark && number < known.mark + known.session.window();
        check(within, SessionInvariant.WITHIN_WINDOW, asked, claim + ", and the mark is " + known.mark);
        boolean inOrder = known.session.mode() == Session.Mode.SET || known.follows(number);
        check(inOrder, SessionInvariant.IN_ORDER, asked, claim + ", and settled are " + known.settled);
    }

    @Override
    public boolean settle(Key key, String holder, long fence, Settlement settlement) {
        boolean applied = store.settle(key, holder, fence, settlement);
        RequestKey asked = RequestKey.of(key);
        Known known = sessions.get(asked.session());
        if (applied && known != null && settlement instanceof Settlement.Complete) {
            known.settled.add(asked.number());
        }
        return applied;
    }

    @Override
    public State keepAlive(SessionKey key, long firstOutstanding) {
        State state = store.keepAlive(key, firstOutstanding);
        Known known = sessions.get(key);
        if (known == null) {
            check(state == State.UNKNOWN, SessionInvariant.ENDED, key, state);
        } else if (state == State.LIVE) {
            check(!known.ended, SessionInvariant.ENDED, key, state);
            known.mark = Math.max(known.mark, firstOutstanding);
        } else {
            known.ended = true;
        }
        return state;
    }

    @Override
    public boolean close(SessionKey key) {
        boolean closed = store.close(key);
        Known known = sessions.get(key);
        if (known != null) {
            known.ended = true;
        }
        return closed;
    }

    @Override
    public Counts countSessions() {
        Counts counts = store.countSessions();
        long most = sessions.values().stream()
                .filter(known -> !known.ended)
                .mapToLong(known -> known.session.window())
                .sum();
        // Beside what is within its window, a session may have requests that are running and that nobody waits for.
        check(counts.requests() <= 2 * most, SessionInvariant.BOUNDED, counts, "windows are " + most);
        return counts;
    }

    @Override
    public Level level() {
        return store.level();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public Optional<Claim> peek(Key key) {
        return store.peek(key);
    }

    @Override
    public int purge(int limit) {
        return store.purge(limit);
    }

    private static boolean isRefused(Claim claim, Reason reason) {
        return claim instanceof Claim.Refused refused && refused.reason() == reason;
    }

    private void check(boolean holds, SessionInvariant invariant, Object who, Object story) {
        if (!holds) {
            world.violated(invariant, who + ": " + story);
        }
    }

    private static final class Known {

        final Session session;
        final TreeSet<Long> settled = new TreeSet<>();
        long mark = 1;
        boolean ended;

        Known(Session session) {
            this.session = session;
        }

        /** All from the mark on up to this one are settled. */
        boolean follows(long number) {
            for (long each = mark; each < number; each++) {
                if (!settled.contains(each)) {
                    return false;
                }
            }
            return true;
        }
    }
}
