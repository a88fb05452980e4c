// SPDX-License-Identifier: Apache-2.0
package io.semel.time;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Which ids are taken to carry the time they were made, so that an old one is refused instead of run again; also makes them. */
public enum KeyTime {
    /** None: an id says nothing about time. */
    NONE {
        @Override
        public Optional<Instant> of(String id) {
            return Optional.empty();
        }
    },
    /** UUIDs of version 7, which no other kind of UUID can be mistaken for. */
    UUID_V7 {
        @Override
        public Optional<Instant> of(String id) {
            return uuidTime(id);
        }
    },
    /** UUIDs of version 7, and ULIDs; only for clients that send no other 26-character ids, which look like ULIDs. */
    UUID_V7_OR_ULID {
        @Override
        public Optional<Instant> of(String id) {
            return uuidTime(id).or(() -> ulidTime(id));
        }
    };

    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int UUID_LENGTH = 36;
    private static final int ULID_LENGTH = 26;
    private static final int ULID_TIME_LENGTH = 10;
    private static final SecureRandom RANDOM = new SecureRandom();
    /** Milliseconds and a 12-bit counter, so that one process never makes two ids out of order. */
    private static final AtomicLong LAST = new AtomicLong();

    /** The time that the id carries, if it is of this kind. */
    public abstract Optional<Instant> of(String id);

    /** A new UUID of version 7, by this machine's clock; later ones of this process sort after earlier ones. */
    public static String uuidV7() {
        long now = System.currentTimeMillis() << 12;
        long tick = LAST.updateAndGet(last -> Math.max(last + 1, now));
        long high = (tick >>> 12) << 16 | 0x7000L | (tick & 0xfff);
        long low = RANDOM.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }

    /** A new ULID, by this machine's clock. */
    public static String ulid() {
        byte[] random = new byte[10];
        RANDOM.nextBytes(random);
        ByteBuffer bits = ByteBuffer.wrap(random);
        StringBuilder id = new StringBuilder(ULID_LENGTH);
        append(id, System.currentTimeMillis(), ULID_TIME_LENGTH);
        append(id, (long) bits.getInt() << 8 | (bits.get() & 0xff), 8);
        append(id, (long) bits.getInt() << 8 | (bits.get() & 0xff), 8);
        return id.toString();
    }

    private static void append(StringBuilder id, long bits, int characters) {
        for (int shift = (characters - 1) * 5; shift >= 0; shift -= 5) {
            id.append(CROCKFORD.charAt((int) (bits >>> shift) & 31));
        }
    }

    private static Optional<Instant> uuidTime(String id) {
        if (id.length() != UUID_LENGTH || id.charAt(14) != '7' || "89abAB".indexOf(id.charAt(19)) < 0) {
            return Optional.empty();
        }
        long time = 0;
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            int digit = Character.digit(id.charAt(i), 16);
            if (dash != (id.charAt(i) == '-') || (!dash && (digit < 0 || id.charAt(i) > 'f'))) {
                return Optional.empty();
            }
            if (!dash && i < 13) {
                time = time << 4 | digit;
            }
        }
        return Optional.of(Instant.ofEpochMilli(time));
    }

    private static Optional<Instant> ulidTime(String id) {
        if (id.length() != ULID_LENGTH || id.charAt(0) > '7') {
            return Optional.empty();
        }
        long time = 0;
        for (int i = 0; i < ULID_LENGTH; i++) {
            int digit = CROCKFORD.indexOf(upper(id.charAt(i)));
            if (digit < 0) {
                return Optional.empty();
            }
            if (i < ULID_TIME_LENGTH) {
                time = time << 5 | digit;
            }
        }
        return Optional.of(Instant.ofEpochMilli(time));
    }

    private static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 32) : c;
    }
}
