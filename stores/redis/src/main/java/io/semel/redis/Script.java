// SPDX-License-Identifier: Apache-2.0
package io.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A script, and the digest that Redis knows it by. */
record Script(byte[] source, String digest) {

    /** Answers everything about slots. */
    static final Script SEMEL = load("semel.lua");

    /** Answers everything about sessions. */
    static final Script SESSIONS = load("sessions.lua");

    private static Script load(String resource) {
        try (InputStream in = Script.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(
                        resource + " is missing beside " + Script.class + "; the jar is broken.");
            }
            byte[] source = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source);
            return new Script(source, HexFormat.of().formatHex(digest));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-1.", e);
        }
    }
}
