// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import io.semel.Fingerprint;
import io.semel.Key;
import io.semel.Retention;
import io.semel.store.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The stored form of an answer, in the format of {@code docs/formats/redis.md}. Bytes that do not match it exactly, or
 * belong to another key, are no answer.
 *
 * @param life the maximum life of the entry, in milliseconds
 * @param beyond how much longer than that the retention lasts, in microseconds; the greatest number for ever
 */
public record AnswerEntry(Fingerprint fingerprint, byte[] result, long life, long beyond) {

    private static final int DIGEST = 32;
    private static final int HEAD = 3 + DIGEST + 2 * Long.BYTES + Fingerprint.BYTES;
    private static final byte[] BEGINNING = {(byte) 0xC1, 'A', 1};

    public static AnswerEntry of(Claim.Settled settled, byte[] result, Duration life) {
        boolean unending = settled.remaining().equals(Retention.FOREVER);
        long beyond =
                unending ? Long.MAX_VALUE : settled.remaining().minus(life).toNanos() / 1000;
        return new AnswerEntry(settled.fingerprint(), result, life.toMillis() + 1, beyond);
    }

    public byte[] write(Key key) {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + result.length + Integer.BYTES)
                .put(BEGINNING)
                .put(digest(key))
                .putLong(life)
                .putLong(beyond)
                .put(fingerprint.toBytes())
                .put(result);
        return bytes.putInt(checksum(bytes.array())).array();
    }

    public static Optional<AnswerEntry> read(Key key, byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        if (stored.length < HEAD + Integer.BYTES
                || !Arrays.equals(take(bytes, BEGINNING.length), BEGINNING)
                || !Arrays.equals(take(bytes, DIGEST), digest(key))
                || bytes.getInt(stored.length - Integer.BYTES) != checksum(stored)) {
            return Optional.empty();
        }
        long life = bytes.getLong();
        long beyond = bytes.getLong();
        Fingerprint fingerprint = Fingerprint.ofDigest(take(bytes, Fingerprint.BYTES));
        return Optional.of(
                new AnswerEntry(fingerprint, take(bytes, stored.length - HEAD - Integer.BYTES), life, beyond));
    }

    /** The answer with so many milliseconds left of its life; empty if that is more than its maximum, or nothing. */
    public Optional<Claim.Settled> settled(long left, Duration since) {
        Duration remaining = Duration.ofMillis(left).minus(since);
        if (left > life || remaining.isNegative() || remaining.isZero()) {
            return Optional.empty();
        }
        Duration retained =
                beyond == Long.MAX_VALUE ? Retention.FOREVER : remaining.plus(Duration.of(beyond, ChronoUnit.MICROS));
        return Optional.of(new Claim.Settled(fingerprint, result, retained));
    }

    /** The complete hash; the name has only a part of it. */
    private static byte[] digest(Key key) {
        byte[] scope = key.scope().getBytes(StandardCharsets.UTF_8);
        byte[] id = key.id().getBytes(StandardCharsets.UTF_8);
        ByteBuffer both = ByteBuffer.allocate(2 * Integer.BYTES + scope.length + id.length)
                .putInt(scope.length)
                .put(scope)
                .putInt(id.length)
                .put(id);
        try {
            return MessageDigest.getInstance("SHA-256").digest(both.array());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    /** Covers everything before it. */
    private static int checksum(byte[] entry) {
        CRC32C sum = new CRC32C();
        sum.update(entry, 0, entry.length - Integer.BYTES);
        return (int) sum.getValue();
    }

    private static byte[] take(ByteBuffer bytes, int length) {
        byte[] taken = new byte[length];
        bytes.get(taken);
        return taken;
    }
}
