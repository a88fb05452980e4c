// SPDX-License-Identifier: Apache-2.0
package io.semel.http.internal.text;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, plain or over parts that are preceded by their lengths, so that they cannot run into each other. */
public final class Sha256 {

    /** Never fed: a copy of it is had in a fraction of the time that looking for a provider takes. */
    private static final MessageDigest UNUSED = found();

    public static MessageDigest digest() {
        try {
            return (MessageDigest) UNUSED.clone();
        } catch (CloneNotSupportedException e) {
            return found();
        }
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    public static void add(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        digest.update(part);
    }

    public static void add(MessageDigest digest, String part) {
        add(digest, part.getBytes(StandardCharsets.UTF_8));
    }

    private Sha256() {}
}
