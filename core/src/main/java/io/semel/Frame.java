// SPDX-License-Identifier: Apache-2.0
package io.semel;

/**
 * A stored result, read: what kind of answer it is, and its body. The bytes are described in {@code docs/formats/frame.md}
 * and stay readable forever.
 */
record Frame(Kind kind, byte[] body) {

    static final byte FORMAT = 1;
    static final int HEADER = 2;
    static final int KIND_MASK = 0x0f;
    static final int COMPRESSED = 0x10;
    static final int SEALED = 0x20;
    /** Compressed with {@link Words#FIRST} known beforehand. */
    static final int WORDS = 0x40;

    /** What a stored result says. */
    enum Kind {
        VALUE(0),
        REJECTED(1),
        NOT_RETAINED(2),
        UNKNOWN(3);

        private static final Kind[] BY_CODE = values();

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(byte[] stored) {
            if (stored.length < HEADER || stored[0] != FORMAT) {
                throw new UnreadableAnswer(
                        stored.length < HEADER
                                ? "A stored answer has " + stored.length + " bytes, too few to be one."
                                : "A stored answer has format " + stored[0] + "; this version reads format " + FORMAT
                                        + ". It was written by a newer version of Semel, or by something else.");
            }
            int flags = stored[1] & ~(KIND_MASK | COMPRESSED | SEALED | WORDS);
            int kind = stored[1] & KIND_MASK;
            if (flags != 0 || kind >= BY_CODE.length) {
                throw new UnreadableAnswer(
                        "A stored answer has kind and flags " + stored[1]
                                + ", which this version does not know. It was written by a newer version of Semel, or is damaged.");
            }
            return BY_CODE[kind];
        }
    }

    static boolean isUnknown(byte[] stored) {
        return is(Kind.UNKNOWN, stored);
    }

    static boolean isRejected(byte[] stored) {
        return is(Kind.REJECTED, stored);
    }

    private static boolean is(Kind kind, byte[] stored) {
        return stored.length >= HEADER && stored[0] == FORMAT && (stored[1] & KIND_MASK) == kind.code;
    }
}
