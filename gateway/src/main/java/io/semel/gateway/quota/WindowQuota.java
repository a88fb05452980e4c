// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.quota;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A quota of keys and bytes for each of many names in a window of time; the counts are dropped with the window. */
final class WindowQuota {

    /** The size of a key in a store, beside its answer. */
    private static final long KEY_BYTES = 256;

    private final long mostKeys;
    private final long mostBytes;
    private final long window;
    private final LongSupplier nanos;
    private final byte[] salt = new byte[16];
    private volatile Counts current;

    /** Zero is as much as they like. */
    WindowQuota(long mostKeys, long mostBytes, Duration window, LongSupplier nanos) {
        this.mostKeys = mostKeys == 0 ? Long.MAX_VALUE : mostKeys;
        this.mostBytes = mostBytes == 0 ? Long.MAX_VALUE : mostBytes;
        this.window = window.toNanos();
        this.nanos = nanos;
        this.current = new Counts(nanos.getAsLong());
        // So that clients cannot choose names that share their cells with others.
        new SecureRandom().nextBytes(salt);
    }

    /** Room for one more key; null if there is none before the window ends. */
    @Nullable
    Room take(String name) {
        Counts now = now();
        int[] places = places(name);
        if (now.bytes.count(places) >= mostBytes) {
            return null;
        }
        now.keys.add(places, 1);
        Room room = new Room(now, places);
        if (now.keys.count(places) > mostKeys) {
            room.back();
            return null;
        }
        return room;
    }

    Duration left() {
        return Duration.ofNanos(Math.max(1, window - (nanos.getAsLong() - now().start)));
    }

    private Counts now() {
        Counts known = current;
        return nanos.getAsLong() - known.start < window ? known : next();
    }

    private synchronized Counts next() {
        long now = nanos.getAsLong();
        if (now - current.start >= window) {
            current = new Counts(now);
        }
        return current;
    }

    private int[] places(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            ByteBuffer hash = ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
            int[] places = new int[CountMinSketch.ROWS];
            for (int row = 0; row < places.length; row++) {
                places[row] = hash.getInt();
            }
            return places;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    /** The room of one key; giving it back after its window changes nothing. */
    record Room(Counts counts, int[] places) {

        void back() {
            counts.keys.add(places, -1);
        }

        void add(long answer) {
            counts.bytes.add(places, answer + KEY_BYTES);
        }
    }

    private static final class Counts {

        private final long start;
        private final CountMinSketch keys = new CountMinSketch();
        private final CountMinSketch bytes = new CountMinSketch();

        private Counts(long start) {
            this.start = start;
        }
    }
}
