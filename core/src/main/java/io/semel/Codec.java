// SPDX-License-Identifier: Apache-2.0
package io.semel;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns an answer into bytes and back; it must never read a class name from the bytes.
 *
 * <p>An answer that a codec cannot read, because it throws or because the answer has another form, is refused as NOT_RETAINED:
 * the call was done, and it is not run again.
 */
public interface Codec<T extends @Nullable Object> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    /** {@link #decode(byte[])} of an answer that this version of the application wrote; here old answers can be rendered anew. */
    default T decode(byte[] bytes, String version) {
        return decode(bytes);
    }

    /**
     * A short name for what {@link #encode} writes, such as {@code json}; it is stored with the answer, which no codec of another
     * form is given to read. Empty where the codec has no name for it. At most 32 printable ASCII characters.
     */
    default String form() {
        return "";
    }

    static Codec<byte[]> bytes() {
        return new Codec<>() {
            @Override
            public String form() {
                return "bytes";
            }

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
            public String form() {
                return "utf8";
            }

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
            public String form() {
                return "nothing";
            }

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
