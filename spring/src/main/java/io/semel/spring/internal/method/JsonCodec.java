// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import io.semel.Codec;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/** Writes answers as JSON and reads them as the declared type of the method, never as a type that the JSON names. */
final class JsonCodec implements Codec<Optional<Object>> {

    private final ObjectWriter writer;
    private final ObjectReader reader;
    private final AtomicBoolean proven = new AtomicBoolean();

    JsonCodec(ObjectWriter writer, ObjectReader reader, JavaType type) {
        this.writer = writer.forType(type);
        this.reader = reader.forType(type);
    }

    @Override
    public String form() {
        return "json";
    }

    /** The first answer is read back, so that a type that can only be written is told at once, not at the first retry. */
    @Override
    public byte[] encode(Optional<Object> value) {
        byte[] json = writer.writeValueAsBytes(value.orElse(null));
        if (value.isPresent() && !proven.get()) {
            decode(json);
            proven.set(true);
        }
        return json;
    }

    @Override
    public Optional<Object> decode(byte[] json) {
        return Optional.ofNullable(reader.readValue(json));
    }
}
