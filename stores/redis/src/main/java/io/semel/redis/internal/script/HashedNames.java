// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The names of answers and sessions in Redis: a prefix, and a hash in braces, so that a cluster spreads them. A dot
 * precedes the hash, because a cluster ignores empty braces, and the hash may begin with one.
 */
public final class HashedNames {

    private final byte[] prefix;

    public HashedNames(String prefix) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    }

    public byte[] of(Key key) {
        return of(key.hash());
    }

    public byte[] of(byte[] hash) {
        return ByteBuffer.allocate(prefix.length + Key.HASH_BYTES + 3)
                .put(prefix)
                .put((byte) '{')
                .put((byte) '.')
                .put(hash)
                .put((byte) '}')
                .array();
    }
}
