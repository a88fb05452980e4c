// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The names of answers and sessions in Redis: a prefix, and a hash in braces, so that a cluster spreads them. A dot comes first
 * in them, because the hash may begin with a brace, and a cluster ignores empty ones.
 */
final class Names {

    private final byte[] prefix;

    Names(String prefix) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    }

    byte[] of(Key key) {
        return of(key.hash());
    }

    byte[] of(byte[] hash) {
        return ByteBuffer.allocate(prefix.length + Key.HASH_BYTES + 3)
                .put(prefix)
                .put((byte) '{')
                .put((byte) '.')
                .put(hash)
                .put((byte) '}')
                .array();
    }
}
