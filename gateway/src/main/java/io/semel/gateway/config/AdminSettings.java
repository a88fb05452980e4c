// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.ConfigError;
import org.jspecify.annotations.Nullable;

/**
 * Address, tokens and certificates of the admin port.
 *
 * @param token of operators who settle keys; null if only this machine has access
 * @param viewToken of operators who only look; null if there is none
 * @param tls of the port; in the clear where there is none
 * @param health a port that tells of health alone, without a token; null where there is none
 */
public record AdminSettings(
        Address address,
        @Nullable String token,
        @Nullable String viewToken,
        TlsFiles tls,
        @Nullable Address health) {

    /** Refuses an address that others can reach without having to show anything. */
    public void check() {
        if (token == null && !address.isLoopback()) {
            throw new ConfigError("The admin address " + address + " can be reached from other machines;"
                    + " set adminToken, SEMEL_ADMIN_TOKEN or --admin-token, or listen on 127.0.0.1.");
        }
        if (viewToken != null && (token == null || viewToken.equals(token))) {
            throw new ConfigError("adminViewToken is for those who may look and not settle;"
                    + " it needs an adminToken beside it, and another one.");
        }
    }

    public String scheme() {
        return tls.isServer() ? "https" : "http";
    }
}
