// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.store;

import io.semel.Key;
import io.semel.redis.internal.client.ScriptClient;
import io.semel.redis.internal.script.HashedNames;
import io.semel.redis.internal.script.Micros;
import io.semel.redis.internal.script.RegistryMember;
import io.semel.redis.internal.script.ScriptReply;
import io.semel.redis.internal.script.ScriptRequest;
import io.semel.redis.internal.script.SessionReply;
import io.semel.redis.internal.script.SessionRequests;
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
 * Lists the sessions that may be alive, each with the time of its next check, and bounds their number.
 *
 * <p>In a cluster the registry is on another server than most sessions. Therefore a place is reserved before a session
 * is made, and released only after the session has been seen to have ended: the registry may list too many for a while,
 * but never too few.
 */
public final class SessionRegistry {

    /** How long a place is reserved for a session about to be made. */
    private static final Duration RESERVATION = Duration.ofMinutes(1);

    private static final long SECOND = 1_000_000;
    private static final int TOGETHER = 128;
    private static final int LISTED = 10_000;
    private static final int MEMBER = 2 * Key.HASH_BYTES;
    private static final int ENTRY = MEMBER + Long.BYTES;

    private final ScriptClient client;
    private final byte[] name;
    private final byte[] scopes;
    private final HashedNames sessions;

    public SessionRegistry(ScriptClient client, String prefix, HashedNames sessions) {
        this.client = client;
        // The braces keep both on one server.
        this.name = (prefix + "{.sessions}roll").getBytes(StandardCharsets.UTF_8);
        this.scopes = (prefix + "{.sessions}scopes").getBytes(StandardCharsets.UTF_8);
        this.sessions = sessions;
    }

    /** Reserves a place for a session, or tells why there is none. */
    public Reserved reserve(SessionKey session, int most, int mostOfScope) {
        RegistryMember place = place(session);
        Reserved reserved = take(place, most, mostOfScope);
        boolean mayBeRoom = reserved.registration != Registration.LIVE;
        while (mayBeRoom) {
            mayBeRoom = sweep(TOGETHER) > 0;
            reserved = take(place, most, mostOfScope);
            mayBeRoom &= reserved.registration != Registration.LIVE;
        }
        return reserved;
    }

    private Reserved take(RegistryMember place, int most, int mostOfScope) {
        ScriptReply reply = client.send(SessionRequests.reserve(place, most, mostOfScope, RESERVATION));
        Registration registration = switch ((int) reply.number("reserve a place")) {
            case 1 -> Registration.LIVE;
            case 2 -> Registration.SCOPE_FULL;
            default -> Registration.STORE_FULL;
        };
        return new Reserved(registration, reply.now() + Micros.of(RESERVATION) / 2);
    }

    /** Unregisters sessions that have ended, at most so many; the others are checked again at their expected end. */
    public int sweep(int limit) {
        int ended = 0;
        boolean more = true;
        while (more && ended < limit) {
            ScriptReply reply = client.send(SessionRequests.due(name, Math.min(limit - ended, TOGETHER)));
            List<Entry> due = entries(reply, ENTRY);
            ended += sweep(due, reply.now());
            more = !due.isEmpty();
        }
        return ended;
    }

    private int sweep(List<Entry> due, long now) {
        List<Long> terms =
                client
                        .sendAll(due.stream()
                                .map(each -> SessionRequests.term(sessions.of(each.session())))
                                .toList())
                        .stream()
                        .map(each -> each.number("check whether a session has ended"))
                        .toList();
        List<ScriptRequest> moves = new ArrayList<>(due.size());
        for (int i = 0; i < due.size(); i++) {
            // At least a second, because the registry's server may be ahead of the session's.
            long next = terms.get(i) == 0 ? 0 : Math.max(terms.get(i), now + SECOND);
            moves.add(SessionRequests.move(place(due.get(i).member), due.get(i).seen, next));
        }
        List<ScriptReply> moved = client.sendAll(moves);
        return (int) IntStream.range(0, due.size())
                .filter(i -> moved.get(i).number("update a registered session") == 1 && terms.get(i) == 0)
                .count();
    }

    /** Unregisters a session that has ended. */
    public void remove(SessionKey session) {
        client.send(SessionRequests.strike(place(session))).number("unregister a session");
    }

    public Counts count() {
        long live = 0;
        long requests = 0;
        int from = 0;
        for (List<Entry> some = members(from); !some.isEmpty(); some = members(from)) {
            from += some.size();
            List<ScriptRequest> calls = some.stream()
                    .map(each -> SessionRequests.count(sessions.of(each.session())))
                    .toList();
            for (ScriptReply each : client.sendAll(calls)) {
                if (each.value() != null) {
                    live++;
                    requests += each.number("count requests");
                }
            }
        }
        return new Counts(live, requests);
    }

    /** The live sessions of a scope, at most so many. */
    public List<SessionView> list(String scope, int limit) {
        byte[] hash = scope(scope);
        List<SessionView> live = new ArrayList<>();
        for (Entry each : entries(client.send(SessionRequests.sessions(scopes, hash, LISTED)), MEMBER)) {
            if (live.size() < limit) {
                byte[] session = Arrays.copyOfRange(each.member, Key.HASH_BYTES, MEMBER);
                new SessionReply(client.send(SessionRequests.view(sessions.of(session))))
                        .view("look up a session")
                        .ifPresent(live::add);
            }
        }
        return live;
    }

    public static byte[] id(SessionKey key) {
        return Key.of(key.scope(), key.id()).hash();
    }

    private static byte[] scope(String scope) {
        return Key.of("scope", scope).hash();
    }

    private List<Entry> members(int from) {
        return entries(client.send(SessionRequests.members(name, from, TOGETHER)), MEMBER);
    }

    private static List<Entry> entries(ScriptReply reply, int length) {
        byte[] said = reply.bytes("read the session registry");
        List<Entry> entries = new ArrayList<>(said.length / length);
        for (ByteBuffer in = ByteBuffer.wrap(said, 1, said.length - 1); in.hasRemaining(); ) {
            byte[] member = new byte[MEMBER];
            in.get(member);
            entries.add(new Entry(member, length == ENTRY ? in.getLong() : 0));
        }
        return entries;
    }

    private RegistryMember place(SessionKey session) {
        return place(ByteBuffer.allocate(MEMBER)
                .put(id(session))
                .put(scope(session.scope()))
                .array());
    }

    private RegistryMember place(byte[] member) {
        return new RegistryMember(name, scopes, member);
    }

    /**
     * The outcome of a reservation.
     *
     * @param until the latest time to make the session, by the server's clock: half of the reservation
     */
    public record Reserved(Registration registration, long until) {}

    private record Entry(byte[] member, long seen) {

        byte[] session() {
            return Arrays.copyOf(member, Key.HASH_BYTES);
        }
    }
}
