// SPDX-License-Identifier: Apache-2.0
package io.semel.rocksdb.internal.format;

import io.semel.StoreException;
import io.semel.session.Session;
import io.semel.session.SessionKey;
import io.semel.session.SessionState;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A session's row, in the format of {@code docs/formats/rocksdb.md}.
 *
 * @param listed its time in the list, never later than its end, so that prolonging a session writes nothing to the list
 * @param requests the number of its stored requests
 * @param below numbers below the mark that may still run
 */
public record SessionRow(SessionState state, boolean expired, long listed, int requests, List<Long> below) {

    private static final byte FORMAT = 1;
    private static final int HEAD = 3 + 2 * Integer.BYTES + 6 * Long.BYTES + Integer.BYTES + 2 * Short.BYTES;

    public static SessionRow of(Session session, long now) {
        SessionState state = SessionState.of(session, now);
        return new SessionRow(state, false, state.until(), 0, List.of());
    }

    public boolean isLive(long now) {
        return !expired && !state.isExpired(now);
    }

    /** Whether even its expiry is forgotten by now. */
    public boolean isOver(long now) {
        return forgotten() <= now;
    }

    private long forgotten() {
        return state.forgotten();
    }

    /** Listed at a future time, because due entries may be dropped from the list at any snapshot. */
    public SessionRow ended(long now) {
        return new SessionRow(state, true, Math.max(forgotten(), now + 1), 0, List.of());
    }

    public SessionRow listedAgain() {
        return new SessionRow(state, expired, state.until(), requests, below);
    }

    public SessionRow with(SessionState next, int more) {
        return new SessionRow(next, expired, listed, requests + more, below);
    }

    public SessionRow without(int dropped, List<Long> stillBelow) {
        return new SessionRow(state, expired, listed, requests - dropped, stillBelow);
    }

    public static SessionRow read(byte[] bytes) {
        if (bytes.length < HEAD || bytes[0] != FORMAT || bytes[1] < 0 || bytes[1] > 1) {
            throw unreadable(bytes);
        }
        try {
            return read(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw unreadable(bytes);
        }
    }

    private static SessionRow read(ByteBuffer row) {
        boolean expired = row.get() == 1;
        Session.Mode mode = row.get() == 1 ? Session.Mode.STRICT : Session.Mode.SET;
        int window = row.getInt();
        Duration lease = Duration.ofNanos(row.getLong());
        long mark = row.getLong();
        long done = row.getLong();
        long fences = row.getLong();
        long until = row.getLong();
        long listed = row.getLong();
        int requests = row.getInt();
        List<Long> below = new ArrayList<>();
        for (int left = row.getInt(); left > 0; left--) {
            below.add(row.getLong());
        }
        int scope = row.getShort();
        int id = row.getShort();
        Session session = new Session(new SessionKey(text(row, scope), text(row, id)), mode, window, lease);
        return new SessionRow(
                new SessionState(session, mark, done, fences, until), expired, listed, requests, List.copyOf(below));
    }

    private static String text(ByteBuffer row, int length) {
        byte[] text = new byte[length];
        row.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    public byte[] bytes() {
        Session session = state.session();
        byte[] scope = session.key().scope().getBytes(StandardCharsets.UTF_8);
        byte[] id = session.key().id().getBytes(StandardCharsets.UTF_8);
        ByteBuffer row = ByteBuffer.allocate(HEAD + below.size() * Long.BYTES + scope.length + id.length);
        row.put(FORMAT).put((byte) (expired ? 1 : 0)).put((byte) (session.mode() == Session.Mode.STRICT ? 1 : 0));
        row.putInt(session.window()).putLong(session.lease().toNanos());
        row.putLong(state.mark()).putLong(state.lastDone()).putLong(state.fences());
        row.putLong(state.until()).putLong(listed).putInt(requests);
        row.putInt(below.size());
        below.forEach(row::putLong);
        row.putShort((short) scope.length).putShort((short) id.length);
        return row.put(scope).put(id).array();
    }

    private static StoreException unreadable(byte[] bytes) {
        return new StoreException(
                "A stored session of " + bytes.length + " bytes is not in session format " + FORMAT
                        + "; it was written by a newer version of Semel, or is damaged.",
                null);
    }
}
