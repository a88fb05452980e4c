// SPDX-License-Identifier: Apache-2.0
package io.semel.session;

import io.semel.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sessions as bytes: the same sessions always give the same bytes. */
final class Snapshot {

    private static final int FORMAT = 0xC1534E01;

    static byte[] of(List<Kept> sessions) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(FORMAT);
            out.writeInt(sessions.size());
            for (Kept each : sessions) {
                write(out, each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static List<Kept> read(byte[] snapshot) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot))) {
            if (in.readInt() != FORMAT) {
                throw new IllegalArgumentException("This is no snapshot of sessions that this version can read.");
            }
            List<Kept> sessions = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                sessions.add(kept(in));
            }
            return sessions;
        } catch (IOException e) {
            throw new IllegalArgumentException("The snapshot of sessions is cut off or damaged: " + e.getMessage(), e);
        }
    }

    private static void write(DataOutputStream out, Kept kept) throws IOException {
        SessionState state = kept.state;
        Session session = state.session();
        out.writeUTF(session.key().scope());
        out.writeUTF(session.key().id());
        out.writeBoolean(session.mode() == Session.Mode.STRICT);
        out.writeInt(session.window());
        out.writeLong(session.lease().toNanos());
        out.writeLong(state.mark());
        out.writeLong(state.lastDone());
        out.writeLong(state.fences());
        out.writeLong(state.until());
        out.writeBoolean(kept.expired);
        out.writeInt(kept.requests.size());
        for (Map.Entry<Long, RequestState> each : kept.requests.entrySet()) {
            out.writeLong(each.getKey());
            write(out, each.getValue());
        }
    }

    private static void write(DataOutputStream out, RequestState request) throws IOException {
        out.write(request.print().toBytes());
        out.writeLong(request.fence());
        out.writeBoolean(request.abandoned());
        out.writeLong(request.until());
        String holder = request.holder();
        byte[] result = request.result();
        out.writeBoolean(result != null);
        if (result != null) {
            out.writeInt(result.length);
            out.write(result);
        } else {
            out.writeUTF(holder == null ? "" : holder);
        }
    }

    private static Kept kept(DataInputStream in) throws IOException {
        SessionKey key = new SessionKey(in.readUTF(), in.readUTF());
        Session.Mode mode = in.readBoolean() ? Session.Mode.STRICT : Session.Mode.SET;
        Session session = new Session(key, mode, in.readInt(), Duration.ofNanos(in.readLong()));
        SessionState state = new SessionState(session, in.readLong(), in.readLong(), in.readLong(), in.readLong());
        boolean expired = in.readBoolean();
        TreeMap<Long, RequestState> requests = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            requests.put(in.readLong(), request(in));
        }
        return new Kept(state, expired, requests);
    }

    private static RequestState request(DataInputStream in) throws IOException {
        Fingerprint print = Fingerprint.ofDigest(in.readNBytes(Fingerprint.BYTES));
        long fence = in.readLong();
        boolean abandoned = in.readBoolean();
        long until = in.readLong();
        boolean done = in.readBoolean();
        @Nullable String holder = done ? null : in.readUTF();
        byte @Nullable [] result = done ? exactly(in, in.readInt()) : null;
        return new RequestState(print, fence, abandoned, holder, until, result);
    }

    private static byte[] exactly(DataInputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length != length) {
            throw new IOException("an answer of " + length + " bytes has only " + bytes.length);
        }
        return bytes;
    }

    /** A session and its requests; times are those of the store's clock. */
    record Kept(SessionState state, boolean expired, TreeMap<Long, RequestState> requests) {}

    private Snapshot() {}
}
