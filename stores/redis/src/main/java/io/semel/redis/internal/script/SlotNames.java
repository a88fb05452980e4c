// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The names of slots in Redis: a prefix, a bucket in braces, and the hash of the key. A cluster keeps a bucket on one
 * server, together with the lists of its slots in flight and its unknown slots.
 */
public final class SlotNames {

    public static final int BUCKETS = 256;

    private static final HexFormat HEX = HexFormat.of();

    private final byte[] prefix;

    public SlotNames(String prefix) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    }

    public byte[] of(Key key) {
        return of(key.hash());
    }

    public byte[] of(byte[] hash) {
        byte[] bucket = bucket(hash[0] & 0xff);
        byte[] name = Arrays.copyOf(bucket, bucket.length + Key.HASH_BYTES);
        System.arraycopy(hash, 0, name, bucket.length, Key.HASH_BYTES);
        return name;
    }

    /** The common prefix of a bucket's names. */
    public byte[] bucket(int number) {
        return ByteBuffer.allocate(prefix.length + 4)
                .put(prefix)
                .put((byte) '{')
                .put((byte) HEX.toHighHexDigit(number))
                .put((byte) HEX.toLowHexDigit(number))
                .put((byte) '}')
                .array();
    }

    public boolean isSlot(byte[] name) {
        int brace = prefix.length;
        return name.length == brace + 4 + Key.HASH_BYTES
                && Arrays.equals(name, 0, brace, prefix, 0, brace)
                && name[brace] == '{'
                && name[brace + 3] == '}';
    }

    /** A pattern for SCAN, which excludes the longer names of a service whose prefix begins with ours. */
    public byte[] pattern() {
        String rest = "{??}" + "?".repeat(Key.HASH_BYTES);
        ByteBuffer pattern = ByteBuffer.allocate(prefix.length * 2 + rest.length());
        for (byte each : prefix) {
            if ("*?[]\\^-".indexOf(each) >= 0) {
                pattern.put((byte) '\\');
            }
            pattern.put(each);
        }
        pattern.put(rest.getBytes(StandardCharsets.US_ASCII));
        return Arrays.copyOf(pattern.array(), pattern.position());
    }
}
