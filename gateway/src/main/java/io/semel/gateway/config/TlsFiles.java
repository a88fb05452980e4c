// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Certificates as PEM files.
 *
 * @param certificate our own chain
 * @param key our own private key, PKCS 8
 * @param trust who vouches for the other side; for clients, their certificates are asked for only if it is given
 */
public record TlsFiles(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path trust) {

    public static final TlsFiles NONE = new TlsFiles(null, null, null);

    public boolean isServer() {
        return certificate != null && key != null;
    }
}
