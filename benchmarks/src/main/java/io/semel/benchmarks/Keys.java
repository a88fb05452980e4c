// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import io.semel.Key;
import java.nio.charset.StandardCharsets;

/** Keys as requests bring them: a new object each time, its id as long as a UUID, in no order. */
final class Keys {

    private static final String SCOPE = "payments/tenant-7/alice";
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PATTERN = "00000000-0000-4000-8000-000000000000".getBytes(StandardCharsets.US_ASCII);

    static Key number(long n) {
        long bits = scramble(n);
        byte[] id = PATTERN.clone();
        for (int i = 35; i > 23; i--) {
            id[i] = DIGITS[(int) bits & 15];
            bits >>>= 4;
        }
        for (int i = 7; i >= 4; i--) {
            id[i] = DIGITS[(int) bits & 15];
            bits >>>= 4;
        }
        return new Key(SCOPE, new String(id, StandardCharsets.ISO_8859_1));
    }

    /** One to one, so that different numbers stay different. */
    private static long scramble(long n) {
        long x = n * 0x9E3779B97F4A7C15L;
        x ^= x >>> 32;
        return x * 0xD6E8FEB86659FD93L;
    }

    private Keys() {}
}
