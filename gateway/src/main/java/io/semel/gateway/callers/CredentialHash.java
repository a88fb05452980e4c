// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;

/** Hashes credentials, each with its name and length before it, so that no two lists of them look alike. */
final class CredentialHash {

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    static void add(MessageDigest digest, String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        digest.update((name.toLowerCase(Locale.ROOT) + ":" + bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
    }

    private CredentialHash() {}
}
