// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a peer says of whom it asks for, and how that one came to it: only trusted proxies are believed, from others it is removed. */
final class PeerClaims {

    private static final List<String> FAMILIES = List.of("x-forwarded-", "x-original-", "client-cert");

    private static final Set<String> NAMES = Set.of(
            "forwarded",
            "x-forwarded",
            "x-real-ip",
            "x-client-ip",
            "x-cluster-client-ip",
            "true-client-ip",
            "cf-connecting-ip",
            "x-rewrite-url");

    private final TrustedProxies trusted;
    private final @Nullable String caller;

    PeerClaims(Settings settings) {
        this.trusted = settings.trustedProxies();
        this.caller = settings.scope().header();
    }

    /** Nobody sees what is removed here: not those who ask whose key it is, and no service. */
    void check(HttpHeaders headers, SocketAddress peer) {
        boolean believed = trusted.include(peer);
        for (String name : headers.names()) {
            if (believed ? isImitated(name) : isClaim(name)) {
                headers.remove(name);
            }
        }
    }

    private boolean isClaim(String name) {
        String folded = EndToEnd.folded(name);
        return NAMES.contains(folded) || FAMILIES.stream().anyMatch(folded::startsWith) || isCaller(folded);
    }

    /** A proxy sets the one that it knows of, and may pass another on that a service takes for it. */
    private boolean isImitated(String name) {
        return isCaller(EndToEnd.folded(name)) && !name.equalsIgnoreCase(caller);
    }

    private boolean isCaller(String folded) {
        return caller != null && folded.equals(EndToEnd.folded(caller));
    }
}
