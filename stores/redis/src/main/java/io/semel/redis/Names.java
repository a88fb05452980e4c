// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import io.semel.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The names of slots in Redis: a prefix, and the hash of the key in braces, so that a cluster keeps all of a slot together. A
 * dot comes first in them, because the hash may begin with a brace, and a cluster ignores empty ones.
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

    /** What SCAN finds them by, and no longer names of a service whose prefix begins with ours. */
    byte[] pattern() {
        ByteBuffer pattern = ByteBuffer.allocate(prefix.length * 2 + Key.HASH_BYTES + 3);
        for (byte each : prefix) {
            if ("*?[]\\^-".indexOf(each) >= 0) {
                pattern.put((byte) '\\');
            }
            pattern.put(each);
        }
        pattern.put(("{." + "?".repeat(Key.HASH_BYTES) + "}").getBytes(StandardCharsets.US_ASCII));
        byte[] bytes = new byte[pattern.flip().remaining()];
        pattern.get(bytes);
        return bytes;
    }
}
