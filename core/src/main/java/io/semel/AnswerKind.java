// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** What a stored result says about its call. */
public enum AnswerKind {
    /** The work returned a value. */
    VALUE(0),
    /** The work was refused for good by a {@link Rejection}. */
    REJECTED(1),
    /** The work was done, but its answer was not kept. */
    NOT_RETAINED(2),
    /** Nobody knows whether the work was done. */
    UNKNOWN(3);

    private static final AnswerKind[] BY_CODE = values();

    private final int code;

    AnswerKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static AnswerKind of(byte[] stored) {
        if (stored.length < Frame.HEADER || !Frame.isKnown(stored[0])) {
            throw new UnreadableAnswer(
                    stored.length < Frame.HEADER
                            ? "A stored answer has " + stored.length + " bytes, too few to be one."
                            : "A stored answer has format " + stored[0] + "; this version reads formats up to "
                                    + Frame.FORMAT
                                    + ". It was written by a newer version of Semel, or by something else.");
        }
        int flags = stored[1] & ~(Frame.KIND_MASK | Frame.COMPRESSED | Frame.SEALED | Frame.WORDS);
        int kind = stored[1] & Frame.KIND_MASK;
        if (flags != 0 || kind >= BY_CODE.length) {
            throw new UnreadableAnswer("A stored answer has kind and flags " + stored[1]
                    + ", which this version does not know. It was written by a newer version of Semel, or is damaged.");
        }
        return BY_CODE[kind];
    }
}
