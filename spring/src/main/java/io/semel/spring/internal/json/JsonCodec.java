// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.json;

import io.semel.Codec;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The codec of answers in JSON. */
final class JsonCodec implements Codec<Optional<Object>> {

    private final Mapping mapping;
    private final AtomicBoolean proven = new AtomicBoolean();

    JsonCodec(Mapping mapping) {
        this.mapping = mapping;
    }

    @Override
    public String form() {
        return "json";
    }

    /** The first answer is read back, so that a type that can only be written is told at once, not at the first retry. */
    @Override
    public byte[] encode(Optional<Object> value) {
        byte[] json = mapping.write(value.orElse(null));
        if (value.isPresent() && !proven.get()) {
            decode(json);
            proven.set(true);
        }
        return json;
    }

    @Override
    public Optional<Object> decode(byte[] json) {
        return Optional.ofNullable(mapping.read(json));
    }

    /** What Jackson does for values of one type. */
    interface Mapping {

        byte[] write(@Nullable Object value);

        @Nullable
        Object read(byte[] json);
    }
}
