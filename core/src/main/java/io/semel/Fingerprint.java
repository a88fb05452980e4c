// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A 128-bit digest of what was asked: one key, one fingerprint, else the call is refused as a mismatch. */
public record Fingerprint(long high, long low) {

    /** The length of {@link #toBytes()}. */
    public static final int BYTES = 16;

    private static final Fingerprint NONE = new Fingerprint(0, 0);

    /** For callers that compare nothing but the key. */
    public static Fingerprint none() {
        return NONE;
    }

    public static Fingerprint of(byte[] content) {
        return ofDigest(Sha256.digest().digest(content));
    }

    /** Of several parts; the borders between them count. */
    public static Fingerprint of(String... parts) {
        MessageDigest sha = Sha256.digest();
        for (String part : parts) {
            Sha256.update(sha, part.getBytes(StandardCharsets.UTF_8));
        }
        return ofDigest(sha.digest());
    }

    /** The first 16 bytes of a cryptographic digest, for those who compute it while streaming. */
    public static Fingerprint ofDigest(byte[] digest) {
        if (digest.length < BYTES) {
            throw new IllegalArgumentException(
                    "A fingerprint needs a digest of at least 16 bytes, this one has " + digest.length + ".");
        }
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        return new Fingerprint(bytes.getLong(), bytes.getLong());
    }

    /**
     * What is stored of this fingerprint where there is a secret: HMAC-SHA-256 of it. {@link #none} hides nothing, and stays.
     */
    public Fingerprint under(byte[] secret) {
        return equals(NONE) ? this : ofDigest(Sha256.hmac(secret, toBytes()));
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    @Override
    public String toString() {
        return String.format(java.util.Locale.ROOT, "%016x%016x", high, low);
    }
}
