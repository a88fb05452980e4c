// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
import io.semel.session.SessionStore.Counts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The sessions that may live, each with a time at which to see whether it still does; it bounds their number.
 *
 * <p>In a cluster it is on another server than most of its sessions. So a place is taken before the session is made, and given up
 * only after the session was seen to have ended: the roll may list too many for a while, but never too few.
 */
final class Roll {

    /** For how long a place is kept for a session that is about to be made. */
    private static final Duration RESERVATION = Duration.ofMinutes(1);

    private static final long SECOND = 1_000_000;
    private static final int TOGETHER = 128;
    private static final int ENTRY = Key.HASH_BYTES + Long.BYTES;

    private final Line line;
    private final byte[] name;
    private final Names sessions;

    Roll(Line line, String prefix, Names sessions) {
        this.line = line;
        this.name = (prefix + "sessions").getBytes(StandardCharsets.UTF_8);
        this.sessions = sessions;
    }

    /** Until when the session may be made, by the server's clock: half of what is reserved; empty if there is no room. */
    OptionalLong reserve(byte[] member, int most) {
        OptionalLong place = take(member, most);
        boolean mayBeRoom = place.isEmpty();
        while (mayBeRoom) {
            mayBeRoom = sweep(TOGETHER) > 0;
            place = take(member, most);
            mayBeRoom &= place.isEmpty();
        }
        return place;
    }

    private OptionalLong take(byte[] member, int most) {
        Reply reply = line.ask(SessionAsk.reserve(name, member, most, RESERVATION));
        return reply.number("reserve a place") == 1
                ? OptionalLong.of(reply.now() + Micros.of(RESERVATION) / 2)
                : OptionalLong.empty();
    }

    /** Strikes off sessions that have ended, this many at most; those that go on are looked at again when they should end. */
    int sweep(int limit) {
        int ended = 0;
        boolean more = true;
        while (more && ended < limit) {
            Reply reply = line.ask(SessionAsk.due(name, Math.min(limit - ended, TOGETHER)));
            List<Entry> due = entries(reply, ENTRY);
            ended += sweep(due, reply.now());
            more = !due.isEmpty();
        }
        return ended;
    }

    private int sweep(List<Entry> due, long now) {
        List<Long> terms =
                line
                        .askAll(due.stream()
                                .map(each -> SessionAsk.term(sessions.of(each.member)))
                                .toList())
                        .stream()
                        .map(each -> each.number("see whether a session has ended"))
                        .toList();
        List<Ask> moves = new ArrayList<>(due.size());
        for (int i = 0; i < due.size(); i++) {
            // A second at least: the roll's server may be ahead of the session's.
            long next = terms.get(i) == 0 ? 0 : Math.max(terms.get(i), now + SECOND);
            moves.add(SessionAsk.move(name, due.get(i).member, due.get(i).seen, next));
        }
        List<Reply> moved = line.askAll(moves);
        return (int) IntStream.range(0, due.size())
                .filter(i -> moved.get(i).number("move a session on the roll") == 1 && terms.get(i) == 0)
                .count();
    }

    /** For a session that has ended. */
    void strike(byte[] member) {
        line.ask(SessionAsk.strike(name, member)).number("strike a session off the roll");
    }

    Counts count() {
        long live = 0;
        long requests = 0;
        int from = 0;
        for (List<Entry> some = members(from); !some.isEmpty(); some = members(from)) {
            from += some.size();
            List<Ask> asks = some.stream()
                    .map(each -> SessionAsk.count(sessions.of(each.member)))
                    .toList();
            for (Reply each : line.askAll(asks)) {
                if (each.said() != null) {
                    live++;
                    requests += each.number("count requests");
                }
            }
        }
        return new Counts(live, requests);
    }

    private List<Entry> members(int from) {
        return entries(line.ask(SessionAsk.members(name, from, TOGETHER)), Key.HASH_BYTES);
    }

    private static List<Entry> entries(Reply reply, int length) {
        byte[] said = reply.bytes("read the roll");
        List<Entry> entries = new ArrayList<>(said.length / length);
        for (ByteBuffer in = ByteBuffer.wrap(said, 1, said.length - 1); in.hasRemaining(); ) {
            byte[] member = new byte[Key.HASH_BYTES];
            in.get(member);
            entries.add(new Entry(member, length == ENTRY ? in.getLong() : 0));
        }
        return entries;
    }

    private record Entry(byte[] member, long seen) {}
}
