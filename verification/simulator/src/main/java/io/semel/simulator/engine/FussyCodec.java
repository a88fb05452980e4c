// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.Codec;
import java.nio.charset.StandardCharsets;

/** A codec that cannot write some values, and at times cannot read. */
record FussyCodec(Asking asking) implements Codec<String> {

    /** What it cannot write starts so. */
    static final String UNWRITABLE = "!";
    /** What breaks it down starts so. */
    static final String BREAKING = "!!";

    @Override
    public String form() {
        return "utf8";
    }

    @Override
    public byte[] encode(String value) {
        if (value.startsWith(BREAKING)) {
            throw new CodecFailed();
        }
        if (value.startsWith(UNWRITABLE)) {
            throw new IllegalArgumentException("simulated: the codec cannot write this");
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String decode(byte[] bytes) {
        if (asking.decodingFails) {
            throw new IllegalArgumentException("simulated: the codec cannot read this");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** What is recorded of a value. */
    static Stored recorded(String value) {
        boolean tooLarge = value.getBytes(StandardCharsets.UTF_8).length > Plan.MAX_ANSWER;
        return tooLarge || value.startsWith(UNWRITABLE) ? Stored.notRetained() : Stored.value(value);
    }
}
