// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore.Counts;
import io.semel.session.SessionStore.Registration;
import io.semel.session.SessionView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private static final int LISTED = 10_000;
    private static final int MEMBER = 2 * Key.HASH_BYTES;
    private static final int ENTRY = MEMBER + Long.BYTES;

    private final Line line;
    private final byte[] name;
    private final byte[] scopes;
    private final Names sessions;

    Roll(Line line, String prefix, Names sessions) {
        this.line = line;
        // What is in the braces keeps both on one server.
        this.name = (prefix + "{.sessions}roll").getBytes(StandardCharsets.UTF_8);
        this.scopes = (prefix + "{.sessions}scopes").getBytes(StandardCharsets.UTF_8);
        this.sessions = sessions;
    }

    /** A place for a session, or why there is none. */
    Reserved reserve(SessionKey session, int most, int mostOfScope) {
        Place place = place(session);
        Reserved reserved = take(place, most, mostOfScope);
        boolean mayBeRoom = reserved.registration != Registration.LIVE;
        while (mayBeRoom) {
            mayBeRoom = sweep(TOGETHER) > 0;
            reserved = take(place, most, mostOfScope);
            mayBeRoom &= reserved.registration != Registration.LIVE;
        }
        return reserved;
    }

    private Reserved take(Place place, int most, int mostOfScope) {
        Reply reply = line.ask(SessionAsk.reserve(place, most, mostOfScope, RESERVATION));
        Registration registration = switch ((int) reply.number("reserve a place")) {
            case 1 -> Registration.LIVE;
            case 2 -> Registration.SCOPE_FULL;
            default -> Registration.STORE_FULL;
        };
        return new Reserved(registration, reply.now() + Micros.of(RESERVATION) / 2);
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
                                .map(each -> SessionAsk.term(sessions.of(each.session())))
                                .toList())
                        .stream()
                        .map(each -> each.number("see whether a session has ended"))
                        .toList();
        List<Ask> moves = new ArrayList<>(due.size());
        for (int i = 0; i < due.size(); i++) {
            // A second at least: the roll's server may be ahead of the session's.
            long next = terms.get(i) == 0 ? 0 : Math.max(terms.get(i), now + SECOND);
            moves.add(SessionAsk.move(place(due.get(i).member), due.get(i).seen, next));
        }
        List<Reply> moved = line.askAll(moves);
        return (int) IntStream.range(0, due.size())
                .filter(i -> moved.get(i).number("move a session on the roll") == 1 && terms.get(i) == 0)
                .count();
    }

    /** For a session that has ended. */
    void strike(SessionKey session) {
        line.ask(SessionAsk.strike(place(session))).number("strike a session off the roll");
    }

    Counts count() {
        long live = 0;
        long requests = 0;
        int from = 0;
        for (List<Entry> some = members(from); !some.isEmpty(); some = members(from)) {
            from += some.size();
            List<Ask> asks = some.stream()
                    .map(each -> SessionAsk.count(sessions.of(each.session())))
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

    /** Sessions of a scope that live, at most so many. */
    List<SessionView> list(String scope, int limit) {
        byte[] hash = scope(scope);
        List<SessionView> live = new ArrayList<>();
        for (Entry each : entries(line.ask(SessionAsk.sessions(scopes, hash, LISTED)), MEMBER)) {
            if (live.size() < limit) {
                byte[] session = Arrays.copyOfRange(each.member, Key.HASH_BYTES, MEMBER);
                new SessionReply(line.ask(SessionAsk.view(sessions.of(session))))
                        .view("look at a session")
                        .ifPresent(live::add);
            }
        }
        return live;
    }

    private static byte[] scope(String scope) {
        return Key.of("scope", scope).hash();
    }

    private List<Entry> members(int from) {
        return entries(line.ask(SessionAsk.members(name, from, TOGETHER)), MEMBER);
    }

    private static List<Entry> entries(Reply reply, int length) {
        byte[] said = reply.bytes("read the roll");
        List<Entry> entries = new ArrayList<>(said.length / length);
        for (ByteBuffer in = ByteBuffer.wrap(said, 1, said.length - 1); in.hasRemaining(); ) {
            byte[] member = new byte[MEMBER];
            in.get(member);
            entries.add(new Entry(member, length == ENTRY ? in.getLong() : 0));
        }
        return entries;
    }

    private Place place(SessionKey session) {
        return place(ByteBuffer.allocate(MEMBER)
                .put(RedisSessions.id(session))
                .put(scope(session.scope()))
                .array());
    }

    private Place place(byte[] member) {
        return new Place(name, scopes, member);
    }

    /** A session as the roll and the scopes beside it know it: by its own hash and that of its scope. */
    record Place(byte[] roll, byte[] scopes, byte[] member) {}

    /**
     * Whether there is a place.
     *
     * @param until when the session may be made, by the server's clock: half of what is reserved
     */
    record Reserved(Registration registration, long until) {}

    private record Entry(byte[] member, long seen) {

        byte[] session() {
            return Arrays.copyOf(member, Key.HASH_BYTES);
        }
    }
}
