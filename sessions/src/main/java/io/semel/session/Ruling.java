// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Call;
import io.semel.Outcome.Reason;
import io.semel.store.Claim;
import io.semel.store.Settlement;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of sessions (N3 to N8), as functions of what is remembered and the time: the same for every store that can read, decide
 * and write in one step. What a store does beside: it drops what is settled or lapsed below the mark when that has moved.
 *
 * @param session the session from now on
 * @param request the number that was asked for from now on; null where there is nothing to remember of it
 * @param claim what the claim is told
 */
public record Ruling(SessionState session, @Nullable RequestState request, Claim claim) {

    /** On a claim in a live session. */
    public static Ruling onClaim(
            SessionState before, @Nullable RequestState request, Call call, String holder, Duration lease, long now) {
        long number = RequestKey.number(call.key());
        SessionState session = before.heard(call.firstOutstanding(), now);
        if (number < session.mark()) {
            return refuse(session, request, Reason.STALE);
        }
        if (number - session.mark() >= session.session().window()) {
            return refuse(session, request, Reason.WINDOW_FULL);
        }
        if (request == null) {
            return session.session().mode() == Session.Mode.STRICT && number != session.next()
                    ? refuse(session, null, Reason.OUT_OF_ORDER)
                    : grant(session, call, false, holder, lease, now);
        }
        if (holder.equals(request.holder())) {
            return granted(session, request.leased(lease, now), lease, now);
        }
        return request.isLapsed(now) && request.print().equals(call.fingerprint())
                ? grant(session, call, true, holder, lease, now)
                : new Ruling(session, request, request.known(session, now));
    }

    /** On a settlement in a live session; empty if it does not apply. */
    public static Optional<Ruling> onSettle(
            SessionState session,
            @Nullable RequestState request,
            long number,
            String holder,
            long fence,
            Settlement settlement,
            long now) {
        if (request == null || !holder.equals(request.holder()) || request.fence() != fence) {
            return Optional.empty();
        }
        if (settlement instanceof Settlement.Renew more) {
            return Optional.of(granted(session, request.leased(more.lease(), now), more.lease(), now));
        }
        if (settlement instanceof Settlement.Complete done) {
            // The client still has to get the answer, unless it has said that it does not wait for it.
            RequestState kept = number < session.mark() ? null : request.done(done.result());
            return Optional.of(ended(session.done(number), kept, request, now));
        }
        return Optional.of(ended(session, null, request, now));
    }

    private static Ruling grant(
            SessionState session, Call call, boolean abandoned, String holder, Duration lease, long now) {
        SessionState fenced = session.fenced();
        RequestState request = new RequestState(call.fingerprint(), fenced.fences(), abandoned, holder, now, null);
        return granted(fenced, request.leased(lease, now), lease, now);
    }

    private static Ruling granted(SessionState session, RequestState request, Duration lease, long now) {
        return new Ruling(
                session.believed(lease, now), request, new Claim.Granted(request.fence(), request.abandoned()));
    }

    /** It has run until now, and its client has the time of a lease to ask for its answer, or to send it again. */
    private static Ruling ended(SessionState session, @Nullable RequestState kept, RequestState request, long now) {
        return new Ruling(
                session.believed(session.session().lease(), now),
                kept,
                new Claim.Granted(request.fence(), request.abandoned()));
    }

    private static Ruling refuse(SessionState session, @Nullable RequestState request, Reason reason) {
        return new Ruling(session, request, new Claim.Refused(reason));
    }
}
