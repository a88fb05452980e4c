// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import java.nio.charset.StandardCharsets;

/** A stored frame, read as {@code docs/formats/frame.md} describes it: neither compressed nor sealed. */
record Stored(Kind kind, String text) {

    private static final int FORM = 2;

    enum Kind {
        VALUE,
        REJECTED,
        NOT_RETAINED,
        UNKNOWN
    }

    static Stored of(byte[] frame) {
        Kind kind = Kind.values()[frame[1]];
        int version = FORM + 1 + frame[FORM];
        int header = version + 1 + frame[version];
        int skip = switch (kind) {
            case VALUE -> header;
            case REJECTED -> header + Integer.BYTES;
            // A fence, which differs from run to run of a seed.
            case UNKNOWN -> header + Long.BYTES;
            case NOT_RETAINED -> frame.length;
        };
        return new Stored(kind, new String(frame, skip, frame.length - skip, StandardCharsets.UTF_8));
    }

    static Stored rejected(String code, String detail) {
        return new Stored(Kind.REJECTED, code + detail);
    }

    static Stored value(String value) {
        return new Stored(Kind.VALUE, value);
    }

    static Stored notRetained() {
        return new Stored(Kind.NOT_RETAINED, "");
    }

    @Override
    public String toString() {
        return text.isEmpty() ? kind.toString() : kind + "(" + text + ")";
    }
}
