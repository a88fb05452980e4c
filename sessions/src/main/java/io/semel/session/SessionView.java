// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/**
 * What an operator sees of a session that lives.
 *
 * @param mark the client has received all answers below
 * @param remaining when it expires, if nothing is heard of its client until then
 * @param requests those that run, fell silent or keep an answer, by their numbers
 */
public record SessionView(Session session, long mark, Duration remaining, List<Request> requests) {

    public SessionView {
        requests = List.copyOf(requests);
    }

    /** From what stores remember, times in nanoseconds of their clocks. */
    public static SessionView of(SessionState state, SortedMap<Long, RequestState> requests, long now) {
        return new SessionView(
                state.session(),
                state.mark(),
                Duration.ofNanos(state.until() - now),
                requests.entrySet().stream()
                        .map(each -> request(each.getKey(), each.getValue(), now))
                        .toList());
    }

    private static Request request(long number, RequestState request, long now) {
        boolean done = request.holder() == null;
        return Request.of(number, request.fence(), done, Duration.ofNanos(done ? 0 : request.until() - now));
    }

    /** The highest number that anything is known of; zero before the first. */
    public long highest() {
        long last = requests.isEmpty() ? 0 : requests.get(requests.size() - 1).number();
        return Math.max(mark - 1, last);
    }

    /**
     * One number of the session.
     *
     * @param remaining what is left of the lease of the one that runs, else zero
     */
    public record Request(long number, State state, long fence, Duration remaining) {

        /** From what is known of it; where nothing is left of the lease, its holder fell silent. */
        public static Request of(long number, long fence, boolean done, Duration lease) {
            boolean running = !done && !lease.isNegative() && !lease.isZero();
            State silent = done ? State.DONE : State.LAPSED;
            return new Request(number, running ? State.RUNNING : silent, fence, running ? lease : Duration.ZERO);
        }
    }

    /** What becomes of a number. */
    public enum State {
        /** Its holder's lease is good. */
        RUNNING,
        /** Its holder fell silent; whoever sends it again takes it over. */
        LAPSED,
        /** Its answer is kept until the client has it. */
        DONE
    }
}
