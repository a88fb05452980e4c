// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Retention;
import io.semel.http.Caller;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a gateway.
 *
 * @param seal null where answers are stored as they are
 * @param fingerprintSecret null if stored fingerprints can be confirmed by guessing requests
 * @param audit the file of operators' actions
 * @param accessLog null where requests are not logged
 * @param requestId the header that carries the id of a request; null where none does
 * @param namespace the first part of every scope
 * @param trustedProxies the proxies that are believed about callers and addresses behind them
 * @param clients certificates towards clients
 * @param clientCert how much of a client's certificate services are sent
 * @param upstreams certificates towards upstreams
 * @param sessions null where clients cannot register any
 * @param routes looked at in this order; the last takes every path
 */
public record Settings(
        Address listen,
        AdminSettings admin,
        List<String> stores,
        @Nullable SealSettings seal,
        @Nullable SecretSource fingerprintSecret,
        Path audit,
        @Nullable AccessLogSettings accessLog,
        @Nullable String requestId,
        String namespace,
        Limits limits,
        QuotaSettings quotas,
        ScopeSettings scope,
        TrustedProxies trustedProxies,
        TlsFiles clients,
        ClientCert clientCert,
        TlsFiles upstreams,
        @Nullable SessionSettings sessions,
        List<RouteSettings> routes) {

    /** A key does not name its route, so answers given by hand are kept as long as the longest retention. */
    public Retention longestRetention() {
        return routes.stream()
                .map(route -> route.operation().retention())
                .max(Comparator.comparing(Retention::retention))
                .orElse(Retention.DEFAULT);
    }

    /** The scope of callers without a credential and a tenant. */
    public String anonymousScope() {
        return Caller.anonymous().scope(namespace);
    }
}
