// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a gateway is told.
 *
 * @param adminToken what whoever comes to the admin port has to show; null where only this machine can come
 * @param audit the file that tells what operators did
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
        Limits limits,
        ScopeSettings scope,
        TlsFiles clients,
        TlsFiles upstreams,
        @Nullable SessionSettings sessions,
        List<RouteSettings> routes) {

    public Settings withLimits(Limits others) {
        return new Settings(
                listen, admin, adminToken, stores, audit, others, scope, clients, upstreams, sessions, routes);
    }
}
