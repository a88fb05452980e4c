// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Turns an answer into bytes and back; it must never read a class name from the bytes. */
public interface Codec<T extends @Nullable Object> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    static Codec<byte[]> bytes() {
        return new Codec<>() {
            @Override
            public byte[] encode(byte[] value) {
                return value.clone();
            }

            @Override
            public byte[] decode(byte[] bytes) {
                return bytes.clone();
            }
        };
    }

    static Codec<String> utf8() {
        return new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return value.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        };
    }

    /** For work that answers nothing but that it was done. */
    @SuppressWarnings("NullAway") // the older javac does not tell it that this T is nullable
    static Codec<@Nullable Void> nothing() {
        return new Codec<>() {
            @Override
            public byte[] encode(@Nullable Void value) {
                return new byte[0];
            }

            @Override
            public @Nullable Void decode(byte[] bytes) {
                return null;
            }
        };
    }
}
