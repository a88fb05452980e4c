// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.write;

import io.semel.Call;
import io.semel.Outcome.Reason;
import io.semel.rocksdb.internal.format.Micros;
import io.semel.rocksdb.internal.format.RowId;
import io.semel.rocksdb.internal.format.SessionKeys;
import io.semel.rocksdb.internal.format.SessionRow;
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

/** Decides the requests of sessions within a batch, one after the other. */
public final class SessionRules {

    private final SessionChanges changes;
    private final long now;

    public SessionRules(ChangeBatch batch) {
        this.changes = batch.sessions();
        this.now = batch.now() * Micros.NANOS;
    }

    public Registration register(Session session, int most, int mostOfScope) {
        RowId id = SessionKeys.id(session.key());
        SessionRow known = changes.session(id);
        if (known != null) {
            return isLive(id, known) ? Registration.LIVE : Registration.EXPIRED;
        }
        if (changes.live() >= most && !new SessionSweep(changes, now).makesRoom(most)) {
            return Registration.STORE_FULL;
        }
        if (!hasRoom(session.key().scope(), mostOfScope)) {
            return Registration.SCOPE_FULL;
        }
        // Forgets ended sessions as fast as new ones are made, even without a purger.
        new SessionSweep(changes, now).purge(2, 2);
        changes.insert(id, SessionRow.of(session, now));
        return Registration.LIVE;
    }

    private boolean hasRoom(String scope, int most) {
        if (changes.live() < most) {
            return true;
        }
        Set<RowId> all = changes.ofScope(SessionKeys.scope(scope));
        if (all.size() < most) {
            return true;
        }
        int live = 0;
        for (RowId each : all) {
            SessionRow row = changes.session(each);
            live += row != null && isLive(each, row) ? 1 : 0;
        }
        return live < most;
    }

    public State keepAlive(SessionKey key, long firstOutstanding) {
        RowId id = SessionKeys.id(key);
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

    public boolean close(SessionKey key) {
        RowId id = SessionKeys.id(key);
        SessionRow row = changes.session(id);
        boolean live = row != null && isLive(id, row);
        if (row != null && live) {
            changes.remove(id, row);
        }
        return live;
    }

    public Claim claim(RequestKey asked, Claiming claiming) {
        RowId id = SessionKeys.id(asked.session());
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

    public boolean settle(RequestKey asked, Settling said) {
        RowId id = SessionKeys.id(asked.session());
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

    public SessionSweep.Swept purge(int mostEnded, int mostSteps) {
        return new SessionSweep(changes, now).purge(mostEnded, mostSteps);
    }

    private void apply(RowId id, SessionRow row, long number, @Nullable RequestState was, Ruling ruling) {
        RequestState is = ruling.request();
        if (is != null && !is.equals(was)) {
            changes.put(id, number, is);
        } else if (is == null && was != null) {
            changes.drop(id, number);
        }
        int more = (is == null ? 0 : 1) - (was == null ? 0 : 1);
        become(id, row, row.with(ruling.session(), more));
    }

    private void become(RowId id, SessionRow before, SessionRow after) {
        boolean moved = after.state().mark() > before.state().mark();
        changes.update(id, before, moved ? dropBelow(id, before.state(), after) : after);
    }

    /** A request that runs below the mark may end; no client asks for it any more. */
    private SessionRow dropBelow(RowId id, SessionState before, SessionRow after) {
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

    /** The numbers that may have a request: no number above the window was ever granted. */
    private static List<Long> passed(SessionState before, SessionRow after) {
        List<Long> passed = new ArrayList<>(after.below());
        long end =
                Math.min(after.state().mark(), before.mark() + before.session().window());
        for (long number = before.mark(); number < end; number++) {
            passed.add(number);
        }
        return passed;
    }

    /** Records a noticed expiry, so that a clock that is set back cannot revive the session. */
    private boolean isLive(RowId id, SessionRow row) {
        if (!row.expired() && row.state().isExpired(now)) {
            changes.expire(id, row, now);
        }
        return row.isLive(now);
    }
}
