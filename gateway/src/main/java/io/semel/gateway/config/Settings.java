// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.http.Caller;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a gateway is told.
 *
 * @param adminToken what whoever comes to the admin port has to show; null where only this machine can come
 * @param audit the file that tells what operators did
 * @param namespace the first part of every scope
 * @param clients certificates towards clients
 * @param upstreams certificates towards upstreams
 * @param sessions null where clients cannot register any
 * @param routes looked at in this order; the last takes every path
 */
public record Settings(
        Address listen,
        Address admin,
        @Nullable String adminToken,
        List<String> stores,
        Path audit,
        String namespace,
        Limits limits,
        ScopeSettings scope,
        TlsFiles clients,
        TlsFiles upstreams,
        @Nullable SessionSettings sessions,
        List<RouteSettings> routes) {

    /** Whose keys and sessions those of callers without a credential and a tenant are. */
    public String anonymousScope() {
        return Caller.anonymous().scope(namespace);
    }
}
