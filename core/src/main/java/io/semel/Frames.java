// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Writes and reads {@link Frame}s: compresses, then seals. */
final class Frames {

    /** Deflate makes at most about 1032 bytes of one; a frame that claims more is hostile. */
    private static final long MOST_INFLATION = 1040;

    private final @Nullable Seal seal;

    Frames(@Nullable Seal seal) {
        this.seal = seal;
    }

    byte[] write(Key key, Frame.Kind kind, byte[] body, int compressAbove) {
        int flags = kind.code();
        byte[] stored = body;
        if (body.length > compressAbove && holdsAnswer(kind)) {
            byte[] smaller = deflate(body);
            if (smaller.length < body.length) {
                stored = smaller;
                flags |= Frame.COMPRESSED | Frame.WORDS;
            }
        }
        if (seal != null && holdsAnswer(kind)) {
            flags |= Frame.SEALED;
            stored = seal.seal(stored, context(key, flags));
        }
        byte[] frame = new byte[Frame.HEADER + stored.length];
        frame[0] = Frame.FORMAT;
        frame[1] = (byte) flags;
        System.arraycopy(stored, 0, frame, Frame.HEADER, stored.length);
        return frame;
    }

    Frame read(Key key, byte[] stored) {
        Frame.Kind kind = Frame.Kind.of(stored);
        int flags = stored[1];
        byte[] body = Arrays.copyOfRange(stored, Frame.HEADER, stored.length);
        if ((flags & Frame.SEALED) != 0) {
            if (seal == null) {
                throw new UnreadableAnswer("The answer of " + key
                        + " is sealed, and this engine has no seal; give it the one that wrote it.");
            }
            body = seal.open(body, context(key, flags));
        }
        if ((flags & Frame.COMPRESSED) != 0) {
            body = inflate(key, body, (flags & Frame.WORDS) != 0);
        }
        return new Frame(kind, body);
    }

    /** The other kinds say nothing that a client or its caller would want hidden, and operators must be able to read them. */
    private static boolean holdsAnswer(Frame.Kind kind) {
        return kind == Frame.Kind.VALUE || kind == Frame.Kind.REJECTED;
    }

    static byte[] rejection(Rejection rejection) {
        byte[] code = rejection.code().getBytes(StandardCharsets.UTF_8);
        byte[] detail = rejection.detail().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + code.length + detail.length)
                .putInt(code.length)
                .put(code)
                .put(detail)
                .array();
    }

    static Rejection rejection(Key key, byte[] body) {
        int code = body.length < Integer.BYTES ? -1 : ByteBuffer.wrap(body).getInt();
        if (code < 0 || code > body.length - Integer.BYTES) {
            throw new UnreadableAnswer("The stored rejection of " + key + " is damaged.");
        }
        int detail = Integer.BYTES + code;
        return new Rejection(
                new String(body, Integer.BYTES, code, StandardCharsets.UTF_8),
                new String(body, detail, body.length - detail, StandardCharsets.UTF_8),
                true);
    }

    /** With the fence, so that no two unknown outcomes of a key are the same bytes, and amending one cannot hit another. */
    static byte[] unknown(long fence, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(fence)
                .put(text)
                .array();
    }

    /** With the fence, so that an attempt never takes the tombstone of another for its own. */
    static byte[] notRetained(long fence, long bytes) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(fence).putLong(bytes).array();
    }

    static String whyUnknown(byte[] body) {
        return body.length < Long.BYTES
                ? ""
                : new String(body, Long.BYTES, body.length - Long.BYTES, StandardCharsets.UTF_8);
    }

    /** What a sealed body is bound to, so that it can be moved neither to another key nor under another kind. */
    private static byte[] context(Key key, int flags) {
        return ByteBuffer.allocate(Frame.HEADER + Key.HASH_BYTES)
                .put(Frame.FORMAT)
                .put((byte) flags)
                .put(key.hash())
                .array();
    }

    private static byte[] deflate(byte[] body) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try {
            deflater.setDictionary(Words.FIRST);
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
                inflater.setDictionary(Words.FIRST);
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
        return new UnreadableAnswer("The stored answer of " + key + " is damaged: it does not decompress.", cause);
    }
}
