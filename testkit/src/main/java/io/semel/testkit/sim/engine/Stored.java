// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.sim.engine;

import java.nio.charset.StandardCharsets;

/** A stored frame, read as {@code docs/formats/frame.md} describes it: neither compressed nor sealed. */
record Stored(Kind kind, String text) {

    private static final int HEADER = 2;

    enum Kind {
        VALUE,
        REJECTED,
        NOT_RETAINED,
        UNKNOWN
    }

    static Stored of(byte[] frame) {
        Kind kind = Kind.values()[frame[1]];
        int skip = switch (kind) {
            case VALUE -> HEADER;
            case REJECTED -> HEADER + Integer.BYTES;
            // A fence, which differs from run to run of a seed.
            case UNKNOWN -> HEADER + Long.BYTES;
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
