// SPDX-License-Identifier: Apache-2.0
package io.semel.internal.frame;

import io.semel.AnswerKind;
import io.semel.UnreadableAnswer;
import java.util.List;

/**
 * A stored result, read: what kind of answer it is, what wrote it, and its body. The bytes are described in
 * {@code docs/formats/frame.md} and stay readable forever.
 */
public record Frame(AnswerKind kind, AnswerOrigin origin, byte[] body) {

    /** Without an origin; still read. */
    static final byte FIRST_FORMAT = 1;

    static final byte FORMAT = 2;
    static final int HEADER = 2;
    static final int KIND_MASK = 0x0f;
    static final int COMPRESSED = 0x10;
    static final int SEALED = 0x20;
    /** Compressed with {@link PresetDictionary#FIRST} known beforehand. */
    static final int WORDS = 0x40;

    /** Each kind at its code. */
    private static final List<AnswerKind> KINDS =
            List.of(AnswerKind.VALUE, AnswerKind.REJECTED, AnswerKind.NOT_RETAINED, AnswerKind.UNKNOWN);

    static int code(AnswerKind kind) {
        return KINDS.indexOf(kind);
    }

    /** The kind of what may be a frame; bytes of any other layout count as a value. */
    public static AnswerKind kind(byte[] stored) {
        for (AnswerKind kind : KINDS) {
            if (is(kind, stored)) {
                return kind;
            }
        }
        return AnswerKind.VALUE;
    }

    /** The kind of what has to be a frame. */
    static AnswerKind readKind(byte[] stored) {
        if (stored.length < HEADER || !isKnown(stored[0])) {
            throw new UnreadableAnswer(
                    stored.length < HEADER
                            ? "A stored answer has " + stored.length + " bytes, too few to be one."
                            : "A stored answer has format " + stored[0] + "; this version reads formats up to " + FORMAT
                                    + ". It was written by a newer version of Semel, or by something else.");
        }
        int flags = stored[1] & ~(KIND_MASK | COMPRESSED | SEALED | WORDS);
        int kind = stored[1] & KIND_MASK;
        if (flags != 0 || kind >= KINDS.size()) {
            throw new UnreadableAnswer("A stored answer has kind and flags " + stored[1]
                    + ", which this version does not know. It was written by a newer version of Semel, or is damaged.");
        }
        return KINDS.get(kind);
    }

    public static boolean isUnknown(byte[] stored) {
        return is(AnswerKind.UNKNOWN, stored);
    }

    private static boolean is(AnswerKind kind, byte[] stored) {
        return stored.length >= HEADER && isKnown(stored[0]) && (stored[1] & KIND_MASK) == code(kind);
    }

    static boolean isKnown(byte format) {
        return format == FORMAT || format == FIRST_FORMAT;
    }
}
