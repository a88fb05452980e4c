// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import java.time.Duration;

/**
 * What a store remembers of a live session beside its requests; all times are nanoseconds of the store's clock.
 *
 * @param mark the client has received all answers below
 * @param lastDone the highest number that was settled; only for sessions that demand order
 * @param fences the last fence that was given
 * @param until when it expires
 */
public record SessionState(Session session, long mark, long lastDone, long fences, long until) {

    private static final Duration SHORTEST_REMEMBRANCE = Duration.ofMinutes(1);
    private static final Duration LONGEST_REMEMBRANCE = Duration.ofDays(1);

    /** A session that was registered just now. */
    public static SessionState of(Session session, long now) {
        return new SessionState(session, 1, 0, 0, now + session.lease().toNanos());
    }

    public boolean isExpired(long now) {
        return now >= until;
    }

    /**
     * Until when it is remembered that it has expired, if there is room: as long again as its lease, a minute at least and a day at
     * most.
     */
    public long forgotten() {
        return until + remembrance(session.lease()).toNanos();
    }

    /** How long it is remembered that a session with this lease has expired. */
    public static Duration remembrance(Duration lease) {
        Duration atLeast = lease.compareTo(SHORTEST_REMEMBRANCE) < 0 ? SHORTEST_REMEMBRANCE : lease;
        return atLeast.compareTo(LONGEST_REMEMBRANCE) > 0 ? LONGEST_REMEMBRANCE : atLeast;
    }

    /** The client is there, and has received all answers below this number; what was settled there may be dropped. */
    public SessionState heard(long firstOutstanding, long now) {
        return new SessionState(session, Math.max(mark, firstOutstanding), lastDone, fences, until)
                .believed(session.lease(), now);
    }

    /** A session lasts as long as its client is heard of, and as long as one of its requests may be running. */
    SessionState believed(Duration lease, long now) {
        return new SessionState(session, mark, lastDone, fences, Math.max(until, now + lease.toNanos()));
    }

    SessionState fenced() {
        return new SessionState(session, mark, lastDone, fences + 1, until);
    }

    SessionState done(long number) {
        return new SessionState(session, mark, Math.max(lastDone, number), fences, until);
    }

    /** The number that comes next where order is demanded. */
    long next() {
        return Math.max(lastDone + 1, mark);
    }
}
