// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.Retention;
import io.semel.http.Caller;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a gateway is told.
 *
 * @param seal null where answers are stored as they are
 * @param fingerprintSecret null where stored fingerprints can be confirmed by whoever guesses a request
 * @param audit the file that tells what operators did
 * @param accessLog null where requests are not logged
 * @param requestId the header that carries the id of a request; null where none does
 * @param namespace the first part of every scope
 * @param trustedProxies who is believed about callers and addresses behind them
 * @param clients certificates towards clients
 * @param clientCert what services are told of a client's certificate
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

    /** A key does not say which route it is of: what is settled by hand is kept as long as the route that keeps longest. */
    public Retention longestRetention() {
        return routes.stream()
                .map(route -> route.operation().retention())
                .max(Comparator.comparing(Retention::retention))
                .orElse(Retention.DEFAULT);
    }

    /** Whose keys and sessions those of callers without a credential and a tenant are. */
    public String anonymousScope() {
        return Caller.anonymous().scope(namespace);
    }
}
