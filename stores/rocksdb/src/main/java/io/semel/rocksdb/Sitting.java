// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb;

import io.semel.Call;
import io.semel.Outcome.Reason;
import io.semel.session.RequestKey;
import io.semel.session.RequestState;
import io.semel.session.Ruling;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionStore.State;
import io.semel.store.Claim;
import io.semel.store.Store.Claiming;
import io.semel.store.Store.Settling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How questions about sessions are decided, within a trip and so one after the other. */
final class Sitting {

    private final SessionChanges changes;
    private final long now;

    Sitting(Trip trip) {
        this.changes = trip.sessions();
        this.now = trip.now() * Micros.NANOS;
    }

    Registration register(Session session, int most, int mostOfScope) {
        Id id = SessionPlace.id(session.key());
        SessionRow known = changes.session(id);
        if (known != null) {
            return isLive(id, known) ? Registration.LIVE : Registration.EXPIRED;
        }
        if (changes.live() >= most && !new Sweep(changes, now).makesRoom(most)) {
            return Registration.STORE_FULL;
        }
        if (!hasRoom(session.key().scope(), mostOfScope)) {
            return Registration.SCOPE_FULL;
        }
        // So that what ended is forgotten as fast as sessions are made, also where nobody purges.
        new Sweep(changes, now).purge(2, 2);
        changes.insert(id, SessionRow.of(session, now));
        return Registration.LIVE;
    }

    private boolean hasRoom(String scope, int most) {
        if (changes.live() < most) {
            return true;
        }
        Set<Id> all = changes.ofScope(SessionPlace.scope(scope));
        if (all.size() < most) {
            return true;
        }
        int live = 0;
        for (Id each : all) {
            SessionRow row = changes.session(each);
            live += row != null && isLive(each, row) ? 1 : 0;
        }
        return live < most;
    }

    State keepAlive(SessionKey key, long firstOutstanding) {
        Id id = SessionPlace.id(key);
        SessionRow row = changes.session(id);
        if (row == null) {
            return State.UNKNOWN;
        }
        if (!isLive(id, row)) {
            return State.EXPIRED;
        }
        become(id, row, row.with(row.state().heard(firstOutstanding, now), 0));
        return State.LIVE;
    }

    boolean close(SessionKey key) {
        Id id = SessionPlace.id(key);
        SessionRow row = changes.session(id);
        boolean live = row != null && isLive(id, row);
        if (row != null && live) {
            changes.remove(id, row);
        }
        return live;
    }

    Claim claim(RequestKey asked, Claiming claiming) {
        Id id = SessionPlace.id(asked.session());
        SessionRow row = changes.session(id);
        if (row == null) {
            return new Claim.Refused(Reason.SESSION_UNKNOWN);
        }
        if (!isLive(id, row)) {
            return new Claim.Refused(Reason.SESSION_EXPIRED);
        }
        RequestState request = changes.request(id, asked.number());
        Call call = claiming.call();
        Ruling ruling = Ruling.onClaim(row.state(), request, call, claiming.holder(), claiming.lease(), now);
        apply(id, row, asked.number(), request, ruling);
        return ruling.claim();
    }

    boolean settle(RequestKey asked, Settling said) {
        Id id = SessionPlace.id(asked.session());
        SessionRow row = changes.session(id);
        if (row == null || !isLive(id, row)) {
            return false;
        }
        long number = asked.number();
        RequestState request = changes.request(id, number);
        Optional<Ruling> ruling =
                Ruling.onSettle(row.state(), request, number, said.holder(), said.fence(), said.settlement(), now);
        ruling.ifPresent(each -> apply(id, row, number, request, each));
        return ruling.isPresent();
    }

    Sweep.Swept purge(int mostEnded, int mostSteps) {
        return new Sweep(changes, now).purge(mostEnded, mostSteps);
    }

    private void apply(Id id, SessionRow row, long number, @Nullable RequestState was, Ruling ruling) {
        RequestState is = ruling.request();
        if (is != null && !is.equals(was)) {
            changes.put(id, number, is);
        } else if (is == null && was != null) {
            changes.drop(id, number);
        }
        int more = (is == null ? 0 : 1) - (was == null ? 0 : 1);
        become(id, row, row.with(ruling.session(), more));
    }

    private void become(Id id, SessionRow before, SessionRow after) {
        boolean moved = after.state().mark() > before.state().mark();
        changes.update(id, before, moved ? dropBelow(id, before.state(), after) : after);
    }

    /** What runs below the mark may end in peace; nobody will ask for it. */
    private SessionRow dropBelow(Id id, SessionState before, SessionRow after) {
        List<Long> running = new ArrayList<>();
        int dropped = 0;
        for (long number : passed(before, after)) {
            if (dropped + running.size() == after.requests()) {
                break;
            }
            RequestState request = changes.request(id, number);
            if (request != null && request.holder() != null && !request.isLapsed(now)) {
                running.add(number);
            } else if (request != null) {
                changes.drop(id, number);
                dropped++;
            }
        }
        return after.without(dropped, List.copyOf(running));
    }

    /** Where there may be something: nothing was ever granted a window above the mark. */
    private static List<Long> passed(SessionState before, SessionRow after) {
        List<Long> passed = new ArrayList<>(after.below());
        long end =
                Math.min(after.state().mark(), before.mark() + before.session().window());
        for (long number = before.mark(); number < end; number++) {
            passed.add(number);
        }
        return passed;
    }

    /** What is noticed to have expired is noted, so that a clock that is set back cannot wake it. */
    private boolean isLive(Id id, SessionRow row) {
        if (!row.expired() && row.state().isExpired(now)) {
            changes.expire(id, row, now);
        }
        return row.isLive(now);
    }
}
