// SPDX-License-Identifier: Apache-2.0
package io.semel.examples.raft;

import io.semel.Codec;
import io.semel.Engine;
import io.semel.Fingerprint;
import io.semel.Outcome;
import io.semel.session.MemorySessions;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The state that is replicated: a count, and the sessions of those who add to it. Entries of the log are applied one after the
 * other, so a retry that the log has twice finds the first one's answer.
 */
final class Tally {

    private static final int MOST_SESSIONS = 1000;
    private static final int WINDOW = 16;
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final LogTime time = new LogTime();
    private MemorySessions sessions = new MemorySessions(MOST_SESSIONS, time);
    private Engine engine = Engine.on(sessions);
    private long count;

    /**
     * Applies an entry of the log, such as {@code register alice} or {@code add alice 7 5 1}: number 7 of alice, who has received
     * the answers to all numbers below 5, adds 1.
     *
     * @param at when the leader got it
     * @return what the client is told
     */
    String apply(long at, String command) {
        time.reach(at);
        String[] words = command.split(" ", -1);
        return switch (words[0]) {
            case "register" -> register(words[1]);
            case "add" -> add(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
            default -> "error: no such command: " + words[0];
        };
    }

    private String register(String client) {
        Session session = new Session(key(client), Session.Mode.SET, WINDOW, LEASE);
        return sessions.register(session) ? "registered" : "error: too many clients, or this one has expired";
    }

    private String add(String client, long number, long firstOutstanding, long amount) {
        Outcome<String> outcome = engine.run(
                key(client).call(number, firstOutstanding, Fingerprint.of("add " + amount)),
                Codec.utf8(),
                attempt -> Long.toString(count += amount));
        return outcome instanceof Outcome.Done<String> done ? done.value() : "error: " + outcome;
    }

    private static SessionKey key(String client) {
        return new SessionKey("tally", client);
    }

    long count() {
        return count;
    }

    /** Count and sessions together, because each is wrong without the other. */
    byte[] snapshot() {
        byte[] kept = sessions.snapshot();
        return ByteBuffer.allocate(2 * Long.BYTES + kept.length)
                .putLong(count)
                .putLong(time.nanos())
                .put(kept)
                .array();
    }

    void restore(byte[] snapshot) {
        ByteBuffer in = ByteBuffer.wrap(snapshot);
        count = in.getLong();
        time.reach(in.getLong());
        byte[] kept = new byte[in.remaining()];
        in.get(kept);
        sessions = MemorySessions.restored(kept, MOST_SESSIONS, time);
        engine = Engine.on(sessions);
    }
}
