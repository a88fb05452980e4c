// SPDX-License-Identifier: Apache-2.0
package io.semel.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** A 64-bit hash with a secret of its own, so that nobody outside can choose keys that collide. */
final class Hash {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final long first;
    private final long second;

    Hash() {
        SecureRandom random = new SecureRandom();
        this.first = random.nextLong() | 1;
        this.second = random.nextLong() | 1;
    }

    long of(byte[] scope, byte[] id) {
        return mix(add(add(first, scope), id), first);
    }

    private long add(long seed, byte[] bytes) {
        long hash = seed ^ bytes.length;
        int last = bytes.length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            hash = mix(hash ^ (long) LONG.get(bytes, i), second);
        }
        // The last eight bytes may overlap those before, which costs less than taking the rest one by one.
        return mix(hash ^ (last >= 0 ? (long) LONG.get(bytes, last) : few(bytes)), second);
    }

    private static long few(byte[] bytes) {
        long bits = 0;
        for (byte b : bytes) {
            bits = bits << 8 | (b & 0xff);
        }
        return bits;
    }

    /** Folds a 128-bit product, so that every bit of both factors reaches every bit of the result. */
    private static long mix(long a, long b) {
        return Math.multiplyHigh(a, b) ^ a * b;
    }
}
