// SPDX-License-Identifier: Apache-2.0
package io.semel;

/**
 * A stored result, read: what kind of answer it is, what wrote it, and its body. The bytes are described in
 * {@code docs/formats/frame.md} and stay readable forever.
 */
record Frame(AnswerKind kind, Origin origin, byte[] body) {

    /** Without an origin; still read. */
    static final byte FIRST_FORMAT = 1;

    static final byte FORMAT = 2;
    static final int HEADER = 2;
    static final int KIND_MASK = 0x0f;
    static final int COMPRESSED = 0x10;
    static final int SEALED = 0x20;
    /** Compressed with {@link Words#FIRST} known beforehand. */
    static final int WORDS = 0x40;

    /** The kind of what may be a frame; bytes of any other layout count as a value. */
    static AnswerKind kind(byte[] stored) {
        for (AnswerKind kind : AnswerKind.values()) {
            if (is(kind, stored)) {
                return kind;
            }
        }
        return AnswerKind.VALUE;
    }

    static boolean isUnknown(byte[] stored) {
        return is(AnswerKind.UNKNOWN, stored);
    }

    private static boolean is(AnswerKind kind, byte[] stored) {
        return stored.length >= HEADER && isKnown(stored[0]) && (stored[1] & KIND_MASK) == kind.code();
    }

    static boolean isKnown(byte format) {
        return format == FORMAT || format == FIRST_FORMAT;
    }
}
