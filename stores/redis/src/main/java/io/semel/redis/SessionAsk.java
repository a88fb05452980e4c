// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Call;
import io.semel.session.Session;
import io.semel.store.Settlement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The questions to the script of sessions: each is about a session or about the roll, and has three arguments. */
final class SessionAsk {

    private static final byte[] NOTHING = {};

    static Ask claim(byte[] session, long number, Call call, String holder, Duration lease) {
        byte[] wish = wish('c', number, call.firstOutstanding(), Micros.of(lease));
        return new Ask(session, wish, call.fingerprint().toBytes(), ascii(holder));
    }

    static Ask settle(byte[] session, long number, String holder, long fence, Settlement settlement) {
        char verdict = settlement instanceof Settlement.Complete ? 'C' : 'F';
        long lease = 0;
        if (settlement instanceof Settlement.Renew renew) {
            verdict = 'R';
            lease = Micros.of(renew.lease());
        }
        byte[] wish = ByteBuffer.allocate(2 + 3 * Long.BYTES)
                .put((byte) 's')
                .put((byte) verdict)
                .putLong(number)
                .putLong(fence)
                .putLong(lease)
                .array();
        byte[] result = settlement instanceof Settlement.Complete complete ? complete.result() : NOTHING;
        return new Ask(session, wish, ascii(holder), result);
    }

    static Ask keepAlive(byte[] session, long firstOutstanding) {
        return ask(session, 'k', firstOutstanding);
    }

    /** @param latest by the server's clock; a session that comes later might have lost its place on the roll */
    static Ask register(byte[] name, Session session, long latest) {
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
        return new Ask(name, wish('r', latest), terms.array(), whose.array());
    }

    static Ask close(byte[] session) {
        return ask(session, 'x');
    }

    static Ask look(byte[] session, long number) {
        return ask(session, 'l', number);
    }

    /** All of a session but holders and answers; nothing if it does not live. */
    static Ask view(byte[] session) {
        return ask(session, 'v');
    }

    static Ask sessions(byte[] scopes, byte[] scope, int limit) {
        return new Ask(scopes, wish('S', limit), scope, NOTHING);
    }

    /** How many requests it has; nothing if it does not live. */
    static Ask count(byte[] session) {
        return ask(session, 'n');
    }

    /** When it ends; 0 if it has. */
    static Ask term(byte[] session) {
        return ask(session, 't');
    }

    static Ask reserve(Roll.Place place, int most, int mostOfScope, Duration span) {
        return ask(place, wish('R', most, mostOfScope, Micros.of(span)));
    }

    static Ask due(byte[] roll, int limit) {
        return ask(roll, 'D', limit);
    }

    static Ask members(byte[] roll, int from, int limit) {
        return ask(roll, 'M', from, limit);
    }

    /** Another time for a member that is still where it was seen; 0 strikes it off. */
    static Ask move(Roll.Place place, long seen, long next) {
        return ask(place, wish('V', seen, next));
    }

    static Ask strike(Roll.Place place) {
        return ask(place, wish('Z'));
    }

    private static Ask ask(Roll.Place place, byte[] wish) {
        return new Ask(place.roll(), wish, place.member(), place.scopes());
    }

    private static Ask ask(byte[] name, char kind, long... numbers) {
        return new Ask(name, wish(kind, numbers), NOTHING, NOTHING);
    }

    private static byte[] wish(char kind, long... numbers) {
        ByteBuffer wish = ByteBuffer.allocate(1 + numbers.length * Long.BYTES).put((byte) kind);
        for (long number : numbers) {
            wish.putLong(number);
        }
        return wish.array();
    }

    private static byte[] ascii(String holder) {
        return holder.getBytes(StandardCharsets.US_ASCII);
    }

    private SessionAsk() {}
}
