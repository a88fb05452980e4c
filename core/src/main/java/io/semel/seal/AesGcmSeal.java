// SPDX-License-Identifier: Apache-2.0
package io.semel.seal;

import io.semel.UnreadableAnswer;
import io.semel.internal.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A {@link Seal} of AES-GCM whose keys have ids, so that they can be rotated: one key writes, all of them read.
 *
 * <p>Nonces are random, so one key may write at most 2³² answers; rotate before that.
 */
public final class AesGcmSeal implements Seal {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MOST_ID_BYTES = 255;

    private final SecureRandom random = new SecureRandom();
    private final String writing;
    private final Map<String, SecretKey> keys;

    private AesGcmSeal(String writing, Map<String, SecretKey> keys) {
        this.writing = writing;
        this.keys = keys;
    }

    /**
     * A seal that writes with one of the keys and reads with all.
     *
     * @param writing the id of the key to write with
     * @param keys by id; 16, 24 or 32 bytes each
     */
    public static AesGcmSeal of(String writing, Map<String, byte[]> keys) {
        if (!keys.containsKey(writing)) {
            throw new IllegalArgumentException("The key to write with, '" + writing + "', is not among the keys "
                    + keys.keySet() + "; add it or name another.");
        }
        return new AesGcmSeal(
                writing,
                keys.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> key(e.getKey(), e.getValue()))));
    }

    /**
     * The same with keys in Base64, as settings and files of secrets have them; what is wrong with one is told by its id, never with
     * the key itself.
     *
     * @param keys by id, as {@code openssl rand -base64 32} makes them; white space around them is ignored
     */
    public static AesGcmSeal ofBase64(String writing, Map<String, String> keys) {
        return of(
                writing,
                keys.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, each -> decoded(each.getKey(), each.getValue()))));
    }

    private static byte[] decoded(String id, String text) {
        try {
            return Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "The key '" + id + "' is not Base64; make one with 'openssl rand -base64 32'.", e);
        }
    }

    @Override
    public byte[] seal(byte[] plain, byte[] context) {
        byte[] id = writing.getBytes(StandardCharsets.UTF_8);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, writing, nonce, context).doFinal(plain);
            return ByteBuffer.allocate(1 + id.length + NONCE_BYTES + secret.length)
                    .put((byte) id.length)
                    .put(id)
                    .put(nonce)
                    .put(secret)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Sealing with key '" + writing + "' failed", e);
        }
    }

    @Override
    public byte[] open(byte[] sealed, byte[] context) {
        int idLength = sealed.length == 0 ? 0 : sealed[0] & 0xff;
        int head = 1 + idLength + NONCE_BYTES;
        if (idLength == 0 || sealed.length < head) {
            throw new UnreadableAnswer("A sealed answer is too short to be one.");
        }
        String id = new String(sealed, 1, idLength, StandardCharsets.UTF_8);
        if (!keys.containsKey(id)) {
            throw new UnreadableAnswer("A stored answer is sealed with key '" + Printable.of(id)
                    + "', which is not among the known keys; keep old keys for reading until retention has passed.");
        }
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(sealed, 1 + idLength, nonce, 0, NONCE_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, id, nonce, context).doFinal(sealed, head, sealed.length - head);
        } catch (GeneralSecurityException e) {
            throw new UnreadableAnswer(
                    "A stored answer does not open with key '" + id
                            + "': it was changed, moved to another record, or sealed with another key of that id.",
                    e);
        }
    }

    private Cipher cipher(int mode, String id, byte[] nonce, byte[] context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, keys.get(id), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(context);
        return cipher;
    }

    private static SecretKey key(String id, byte[] bytes) {
        int idLength = id.getBytes(StandardCharsets.UTF_8).length;
        if (idLength == 0 || idLength > MOST_ID_BYTES) {
            throw new IllegalArgumentException(
                    "A key id takes 1 to 255 bytes in UTF-8, this one takes " + idLength + ".");
        }
        if (bytes.length != 16 && bytes.length != 24 && bytes.length != 32) {
            throw new IllegalArgumentException(
                    "The AES key '" + id + "' has " + bytes.length + " bytes; AES takes 16, 24 or 32.");
        }
        return new SecretKeySpec(bytes, "AES");
    }
}
