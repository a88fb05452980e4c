// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose keys the keys of a request are.
 *
 * @param credentials the headers whose values, hashed together, name the caller
 * @param tenantHeader names the tenant, if given
 */
public record ScopeSettings(
        List<String> credentials,
        @Nullable String tenantHeader,
        @Nullable Jwt jwt) {

    public static final ScopeSettings DEFAULT = new ScopeSettings(List.of("Authorization"), null, null);

    /**
     * Bearer tokens whose signature the gateway verifies, so that issuer and subject name the caller.
     *
     * @param jwks where the issuer publishes its keys; else there is a file
     * @param keys a file with a key set, as JSON
     */
    public record Jwt(
            @Nullable String jwks,
            @Nullable Path keys,
            String issuer,
            @Nullable String audience) {}
}
