// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Call;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One session and its requests in memory. Whoever owns it brings the time and sees to it that one thread is here at once.
 */
final class Requests {

    private final TreeMap<Long, RequestState> requests = new TreeMap<>();
    private final String scope;
    private SessionState session;
    private SessionStore.State state = SessionStore.State.LIVE;
    private Agenda.@Nullable Entry listed;

    Requests(Session session, long now) {
        this.scope = session.key().scope();
        this.session = SessionState.of(session, now);
    }

    Requests(Snapshot.Kept kept) {
        this.scope = kept.state().session().key().scope();
        this.session = kept.state();
        this.state = kept.expired() ? SessionStore.State.EXPIRED : SessionStore.State.LIVE;
        this.requests.putAll(kept.requests());
    }

    Snapshot.Kept kept() {
        return new Snapshot.Kept(session, state == SessionStore.State.EXPIRED, new TreeMap<>(requests));
    }

    boolean isLive() {
        return state == SessionStore.State.LIVE;
    }

    boolean isClosed() {
        return state == SessionStore.State.UNKNOWN;
    }

    String scope() {
        return scope;
    }

    int size() {
        return requests.size();
    }

    SessionView view(long now) {
        return SessionView.of(session, requests, now);
    }

    /** Once it has expired it stays so. */
    SessionStore.State state(long now) {
        if (isLive() && session.isExpired(now)) {
            end(SessionStore.State.EXPIRED);
        }
        return state;
    }

    void end(SessionStore.State last) {
        state = last;
        requests.clear();
    }

    SessionKey key() {
        return session.session().key();
    }

    /** When it ends, unless its client is heard of until then. */
    long until() {
        return session.until();
    }

    /** When that it has expired is forgotten. */
    long forgotten() {
        return session.forgotten();
    }

    Agenda.@Nullable Entry listed() {
        return listed;
    }

    void listed(Agenda.@Nullable Entry entry) {
        listed = entry;
    }

    void hear(long firstOutstanding, long now) {
        become(session.heard(firstOutstanding, now), now);
    }

    Claim claim(Call call, long number, String holder, Duration lease, long now) {
        Ruling ruling = Ruling.onClaim(session, requests.get(number), call, holder, lease, now);
        apply(number, ruling, now);
        return ruling.claim();
    }

    boolean settle(long number, String holder, long fence, Settlement settlement, long now) {
        Optional<Ruling> ruling =
                Ruling.onSettle(session, requests.get(number), number, holder, fence, settlement, now);
        ruling.ifPresent(each -> apply(number, each, now));
        return ruling.isPresent();
    }

    Optional<Claim> peek(long number, long now) {
        return Optional.ofNullable(requests.get(number)).map(request -> request.known(session, now));
    }

    private void apply(long number, Ruling ruling, long now) {
        RequestState request = ruling.request();
        if (request == null) {
            requests.remove(number);
        } else {
            requests.put(number, request);
        }
        become(ruling.session(), now);
    }

    /** What runs below the mark may end in peace; nobody will ask for it. */
    private void become(SessionState next, long now) {
        if (next.mark() > session.mark()) {
            requests.headMap(next.mark())
                    .values()
                    .removeIf(request -> request.result() != null || request.isLapsed(now));
        }
        session = next;
    }
}
