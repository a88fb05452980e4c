// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Call;
import io.semel.session.Session;
import io.semel.store.Settlement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The requests to the script of sessions: each is about a session or about the registry, and has three arguments. */
public final class SessionRequests {

    private static final byte[] NOTHING = {};

    public static ScriptRequest claim(byte[] session, long number, Call call, String holder, Duration lease) {
        byte[] command = command('c', number, call.firstOutstanding(), Micros.of(lease));
        return new ScriptRequest(session, command, call.fingerprint().toBytes(), ascii(holder));
    }

    public static ScriptRequest settle(byte[] session, long number, String holder, long fence, Settlement settlement) {
        char verdict = settlement instanceof Settlement.Complete ? 'C' : 'F';
        long lease = 0;
        if (settlement instanceof Settlement.Renew renew) {
            verdict = 'R';
            lease = Micros.of(renew.lease());
        }
        byte[] command = ByteBuffer.allocate(2 + 3 * Long.BYTES)
                .put((byte) 's')
                .put((byte) verdict)
                .putLong(number)
                .putLong(fence)
                .putLong(lease)
                .array();
        byte[] result = settlement instanceof Settlement.Complete complete ? complete.result() : NOTHING;
        return new ScriptRequest(session, command, ascii(holder), result);
    }

    public static ScriptRequest keepAlive(byte[] session, long firstOutstanding) {
        return request(session, 'k', firstOutstanding);
    }

    /**
     * Makes a session whose place is reserved.
     *
     * @param latest by the server's clock; a session made later might have lost its place in the registry
     */
    public static ScriptRequest register(byte[] name, Session session, long latest) {
        ByteBuffer terms = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put((byte) (session.mode() == Session.Mode.STRICT ? 'S' : 'A'))
                .putInt(session.window())
                .putLong(Micros.of(session.lease()));
        byte[] scope = session.key().scope().getBytes(StandardCharsets.UTF_8);
        byte[] id = session.key().id().getBytes(StandardCharsets.UTF_8);
        ByteBuffer whose = ByteBuffer.allocate(2 * Short.BYTES + scope.length + id.length)
                .putShort((short) scope.length)
                .putShort((short) id.length)
                .put(scope)
                .put(id);
        return new ScriptRequest(name, command('r', latest), terms.array(), whose.array());
    }

    public static ScriptRequest close(byte[] session) {
        return request(session, 'x');
    }

    public static ScriptRequest look(byte[] session, long number) {
        return request(session, 'l', number);
    }

    /** Reads a session without holders and answers; empty unless it is live. */
    public static ScriptRequest view(byte[] session) {
        return request(session, 'v');
    }

    public static ScriptRequest sessions(byte[] scopes, byte[] scope, int limit) {
        return new ScriptRequest(scopes, command('S', limit), scope, NOTHING);
    }

    /** The number of its requests; empty unless it is live. */
    public static ScriptRequest count(byte[] session) {
        return request(session, 'n');
    }

    /** The time of its end; 0 if it has ended. */
    public static ScriptRequest term(byte[] session) {
        return request(session, 't');
    }

    public static ScriptRequest reserve(RegistryMember place, int most, int mostOfScope, Duration span) {
        return request(place, command('R', most, mostOfScope, Micros.of(span)));
    }

    public static ScriptRequest due(byte[] registry, int limit) {
        return request(registry, 'D', limit);
    }

    public static ScriptRequest members(byte[] registry, int from, int limit) {
        return request(registry, 'M', from, limit);
    }

    /** Changes the time of a member that is unchanged since it was read; 0 unregisters it. */
    public static ScriptRequest move(RegistryMember place, long seen, long next) {
        return request(place, command('V', seen, next));
    }

    public static ScriptRequest strike(RegistryMember place) {
        return request(place, command('Z'));
    }

    private static ScriptRequest request(RegistryMember place, byte[] command) {
        return new ScriptRequest(place.registry(), command, place.member(), place.scopes());
    }

    private static ScriptRequest request(byte[] name, char kind, long... numbers) {
        return new ScriptRequest(name, command(kind, numbers), NOTHING, NOTHING);
    }

    private static byte[] command(char kind, long... numbers) {
        ByteBuffer command =
                ByteBuffer.allocate(1 + numbers.length * Long.BYTES).put((byte) kind);
        for (long number : numbers) {
            command.putLong(number);
        }
        return command.array();
    }

    private static byte[] ascii(String holder) {
        return holder.getBytes(StandardCharsets.US_ASCII);
    }

    private SessionRequests() {}
}
