// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import io.semel.AnswerKind;
import io.semel.Key;
import io.semel.Rejection;
import io.semel.UnreadableAnswer;
import io.semel.seal.Seal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Writes and reads {@link Frame}s: compresses, then seals. */
public final class Frames {

    /** Deflate makes at most about 1032 bytes of one; a frame that claims more is hostile. */
    private static final long MOST_INFLATION = 1040;

    private static final byte REJECTED = 1;

    private final @Nullable Seal seal;

    public Frames(@Nullable Seal seal) {
        this.seal = seal;
    }

    public byte[] write(Key key, AnswerKind kind, AnswerOrigin origin, byte[] body, int compressAbove) {
        int flags = Frame.code(kind);
        byte[] stored = body;
        if (body.length > compressAbove && holdsAnswer(kind)) {
            byte[] smaller = deflate(body);
            if (smaller.length < body.length) {
                stored = smaller;
                flags |= Frame.COMPRESSED | Frame.WORDS;
            }
        }
        boolean sealing = seal != null && holdsAnswer(kind);
        byte[] header = header(sealing ? flags | Frame.SEALED : flags, origin);
        if (seal != null && sealing) {
            stored = seal.seal(stored, context(key, header));
        }
        byte[] frame = Arrays.copyOf(header, header.length + stored.length);
        System.arraycopy(stored, 0, frame, header.length, stored.length);
        return frame;
    }

    private static byte[] header(int flags, AnswerOrigin origin) {
        byte[] told = origin.bytes();
        return ByteBuffer.allocate(Frame.HEADER + told.length)
                .put(Frame.FORMAT)
                .put((byte) flags)
                .put(told)
                .array();
    }

    /** The kind of a stored answer, which has to be a frame. */
    public static AnswerKind kind(byte[] stored) {
        return Frame.readKind(stored);
    }

    /** What wrote a frame; its body stays closed. */
    public static AnswerOrigin origin(byte[] stored) {
        Frame.readKind(stored);
        return stored[0] == Frame.FIRST_FORMAT ? AnswerOrigin.NONE : AnswerOrigin.read(stored, Frame.HEADER);
    }

    public Frame read(Key key, byte[] stored) {
        AnswerKind kind = Frame.readKind(stored);
        int flags = stored[1];
        AnswerOrigin origin = origin(stored);
        int start = Frame.HEADER + (stored[0] == Frame.FIRST_FORMAT ? 0 : origin.bytes().length);
        byte[] body = Arrays.copyOfRange(stored, start, stored.length);
        if ((flags & Frame.SEALED) != 0) {
            if (seal == null) {
                throw new UnreadableAnswer("The answer of " + key
                        + " is sealed, and this engine has no seal; give it the one that wrote it.");
            }
            body = seal.open(body, context(key, Arrays.copyOf(stored, start)));
        }
        if ((flags & Frame.COMPRESSED) != 0) {
            body = inflate(key, body, (flags & Frame.WORDS) != 0);
        }
        return new Frame(kind, origin, body);
    }

    /** The other kinds say nothing that a client or its caller would want hidden, and operators must be able to read them. */
    private static boolean holdsAnswer(AnswerKind kind) {
        return kind == AnswerKind.VALUE || kind == AnswerKind.REJECTED;
    }

    public static byte[] rejection(Rejection rejection) {
        byte[] code = rejection.code().getBytes(StandardCharsets.UTF_8);
        byte[] detail = rejection.detail().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + code.length + detail.length)
                .putInt(code.length)
                .put(code)
                .put(detail)
                .array();
    }

    public static Rejection rejection(Key key, byte[] body) {
        int code = body.length < Integer.BYTES ? -1 : ByteBuffer.wrap(body).getInt();
        if (code < 0 || code > body.length - Integer.BYTES) {
            throw UnreadableAnswer.damaged("The stored rejection of " + key + " is damaged.", null);
        }
        int detail = Integer.BYTES + code;
        return new Rejection(
                new String(body, Integer.BYTES, code, StandardCharsets.UTF_8),
                new String(body, detail, body.length - detail, StandardCharsets.UTF_8),
                true);
    }

    /** With the fence, so that no two unknown outcomes of a key are the same bytes, and amending one cannot hit another. */
    public static byte[] unknown(long fence, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(fence)
                .put(text)
                .array();
    }

    /** With the fence, so that an attempt never takes the tombstone of another for its own. */
    public static byte[] notRetained(long fence, long bytes, boolean rejected) {
        ByteBuffer body = ByteBuffer.allocate(2 * Long.BYTES + (rejected ? 1 : 0));
        body.putLong(fence).putLong(bytes);
        return rejected ? body.put(REJECTED).array() : body.array();
    }

    /** Whether a frame says that the work was refused for good, also where the rejection itself was not kept. */
    public static boolean rejects(byte[] stored) {
        AnswerKind kind = Frame.kind(stored);
        if (kind != AnswerKind.NOT_RETAINED || stored[0] == Frame.FIRST_FORMAT) {
            return kind == AnswerKind.REJECTED;
        }
        int header = Frame.HEADER + origin(stored).bytes().length;
        return stored.length == header + 2 * Long.BYTES + 1 && stored[stored.length - 1] == REJECTED;
    }

    /** Without an attempt: nobody takes it for their own. */
    public static byte[] tombstone() {
        byte[] header = header(Frame.code(AnswerKind.NOT_RETAINED), AnswerOrigin.NONE);
        byte[] body = notRetained(0, 0, false);
        byte[] frame = Arrays.copyOf(header, header.length + body.length);
        System.arraycopy(body, 0, frame, header.length, body.length);
        return frame;
    }

    public static String whyUnknown(byte[] body) {
        return body.length < Long.BYTES
                ? ""
                : new String(body, Long.BYTES, body.length - Long.BYTES, StandardCharsets.UTF_8);
    }

    /** What a sealed body is bound to, so that it can be moved neither to another key nor under another header. */
    private static byte[] context(Key key, byte[] header) {
        return ByteBuffer.allocate(header.length + Key.HASH_BYTES)
                .put(header)
                .put(key.hash())
                .array();
    }

    private static byte[] deflate(byte[] body) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            deflater.setDictionary(PresetDictionary.FIRST);
            deflater.setInput(body);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 2 + 16);
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(body.length).array());
            byte[] chunk = new byte[Math.min(body.length, 8192)];
            while (!deflater.finished()) {
                out.write(chunk, 0, deflater.deflate(chunk));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflate(Key key, byte[] compressed, boolean words) {
        int length = compressed.length < Integer.BYTES
                ? -1
                : ByteBuffer.wrap(compressed).getInt();
        if (length < 0 || length > compressed.length * MOST_INFLATION) {
            throw damaged(key, null);
        }
        Inflater inflater = new Inflater(true);
        try {
            if (words) {
                inflater.setDictionary(PresetDictionary.FIRST);
            }
            inflater.setInput(compressed, Integer.BYTES, compressed.length - Integer.BYTES);
            byte[] body = new byte[length];
            int read = 0;
            while (read < length) {
                int some = inflater.inflate(body, read, length - read);
                if (some == 0) {
                    throw damaged(key, null);
                }
                read += some;
            }
            return body;
        } catch (DataFormatException e) {
            throw damaged(key, e);
        } finally {
            inflater.end();
        }
    }

    private static UnreadableAnswer damaged(Key key, @Nullable Throwable cause) {
        return UnreadableAnswer.damaged("The stored answer of " + key + " is damaged: it does not decompress.", cause);
    }
}
