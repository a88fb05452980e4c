// SPDX-License-Identifier: Apache-2.0
package io.semel.redis.internal.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A script, and its digest in Redis. */
public record Script(byte[] source, String digest) {

    /** The script for slots. */
    public static final Script SLOTS = load("semel.lua");

    /** The script for sessions. */
    public static final Script SESSIONS = load("sessions.lua");

    private static Script load(String resource) {
        try (InputStream in = Script.class.getResourceAsStream("/io/semel/redis/" + resource)) {
            if (in == null) {
                throw new IllegalStateException(
                        resource + " is missing from the jar of semel-redis; the jar is broken.");
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
