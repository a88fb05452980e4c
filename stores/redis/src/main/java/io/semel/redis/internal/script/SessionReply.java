// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Fingerprint;
import io.semel.Outcome.Reason;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionStore.State;
import io.semel.session.SessionView;
import io.semel.store.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A reply of the script of sessions: a number, the bytes of a request, a refusal (after an exclamation mark), or an
 * error.
 */
public record SessionReply(ScriptReply reply) {

    private static final int REQUEST = Long.BYTES;
    private static final int TILL = REQUEST + 2 + Long.BYTES;
    private static final int TAIL = TILL + Long.BYTES + Fingerprint.BYTES;

    public Claim claim(String what) {
        if (reply.value() instanceof Long fence) {
            return new Claim.Granted(Math.abs(fence), fence < 0);
        }
        return refusal(what).<Claim>map(Claim.Refused::new).orElseGet(() -> known(reply.bytes(what)));
    }

    public Optional<Claim> known(String what) {
        return reply.value() == null ? Optional.empty() : Optional.of(known(reply.bytes(what)));
    }

    private Claim known(byte[] said) {
        ByteBuffer in = ByteBuffer.wrap(said);
        long sessionEnds = in.getLong();
        boolean done = in.get() == 'D';
        long till = in.position(TILL).getLong();
        Fingerprint print = new Fingerprint(in.getLong(), in.getLong());
        return done
                ? new Claim.Settled(
                        print, Arrays.copyOfRange(said, TAIL, said.length), Micros.left(sessionEnds, reply.now()))
                : new Claim.Held(print, Micros.left(till, reply.now()));
    }

    public Optional<SessionView> view(String what) {
        if (reply.value() == null) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(reply.bytes(what)).position(1);
        Session.Mode mode = in.get() == 'S' ? Session.Mode.STRICT : Session.Mode.SET;
        int window = in.getInt();
        Duration lease = Duration.of(in.getLong(), ChronoUnit.MICROS);
        long mark = in.getLong();
        Duration remaining = Micros.left(in.getLong(), reply.now());
        in.getInt();
        int scope = in.getShort();
        int id = in.getShort();
        SessionKey key = new SessionKey(text(in, scope), text(in, id));
        List<SessionView.Request> requests = new ArrayList<>();
        while (in.hasRemaining()) {
            requests.add(request(in));
        }
        requests.sort(Comparator.comparing(SessionView.Request::number));
        return Optional.of(new SessionView(new Session(key, mode, window, lease), mark, remaining, requests));
    }

    private SessionView.Request request(ByteBuffer in) {
        long number = in.getLong();
        boolean done = in.get() == 'D';
        in.get();
        long fence = in.getLong();
        return SessionView.Request.of(number, fence, done, Micros.left(in.getLong(), reply.now()));
    }

    private static String text(ByteBuffer in, int length) {
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    public State state(String what) {
        if (reply.value() instanceof Long) {
            return State.LIVE;
        }
        return refusal(what).orElse(Reason.SESSION_UNKNOWN) == Reason.SESSION_EXPIRED ? State.EXPIRED : State.UNKNOWN;
    }

    private Optional<Reason> refusal(String what) {
        byte[] said = reply.bytes(what);
        return said[0] == '!'
                ? Optional.of(Reason.valueOf(new String(said, 1, said.length - 1, StandardCharsets.US_ASCII)))
                : Optional.empty();
    }
}
