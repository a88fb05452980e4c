// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.LastHttpContent;
import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Settings;
import io.semel.gateway.config.TrustedProxies;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Removes header fields that must not be passed on: hop-by-hop fields, claims of untrusted peers, and imitations of protected names. */
public final class HeaderFilter {

    private static final List<CharSequence> HOP_BY_HOP = List.of(
            HttpHeaderNames.CONNECTION,
            "keep-alive",
            "proxy-connection",
            HttpHeaderNames.PROXY_AUTHENTICATE,
            HttpHeaderNames.PROXY_AUTHORIZATION,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.UPGRADE,
            "http2-settings");

    private static final List<String> CLAIM_FAMILIES = List.of("x-forwarded-", "x-original-", "client-cert");
    private static final Set<String> CLAIMS = Set.of(
            "forwarded",
            "x-forwarded",
            "x-real-ip",
            "x-client-ip",
            "x-cluster-client-ip",
            "true-client-ip",
            "cf-connecting-ip",
            "x-rewrite-url");

    /** Meant for the service, or set by the gateway; a client cannot have them removed by naming them in Connection. */
    private static final Set<String> PROTECTED = Set.of(
            "host",
            "transfer-encoding",
            "authorization",
            "www-authenticate",
            "cookie",
            "set-cookie",
            "idempotency-key",
            "idempotent-replayed",
            "forwarded",
            "accept",
            "cache-control",
            "etag",
            "location",
            "origin",
            "range",
            "retry-after",
            "vary",
            "x-real-ip");

    private static final List<String> PROTECTED_FAMILIES =
            List.of("content-", "semel-", "x-forwarded-", "x-original-", "client-cert", "accept-", "if-", "access-");

    private final TrustedProxies trusted;
    private final @Nullable String caller;
    private final Set<String> configured = new HashSet<>();

    public HeaderFilter(Settings settings) {
        this.trusted = settings.trustedProxies();
        this.caller = settings.scope().header();
        Set<String> names = new HashSet<>(settings.scope().credentials());
        Stream.of(settings.scope().tenantHeader(), caller)
                .filter(Objects::nonNull)
                .forEach(names::add);
        for (RouteSettings route : settings.routes()) {
            names.addAll(route.keyHeaders());
        }
        names.forEach(name -> configured.add(name.toLowerCase(Locale.ROOT)));
    }

    /** Removes claims about the original client unless a trusted proxy makes them; neither caller resolution nor the service sees them. */
    public void removeUntrustedClaims(HttpHeaders headers, SocketAddress peer) {
        boolean believed = trusted.include(peer);
        for (String name : headers.names()) {
            if (believed ? imitatesCaller(name) : isClaim(name)) {
                headers.remove(name);
            }
        }
    }

    private boolean isClaim(String name) {
        String folded = folded(name);
        return CLAIMS.contains(folded)
                || CLAIM_FAMILIES.stream().anyMatch(folded::startsWith)
                || (caller != null && folded.equals(folded(caller)));
    }

    /** A proxy sets the header it knows, and may pass on another one that a service takes for it. */
    private boolean imitatesCaller(String name) {
        return caller != null && folded(name).equals(folded(caller)) && !name.equalsIgnoreCase(caller);
    }

    /** Removes the hop-by-hop fields of a request, except protected ones named in Connection, and imitations of protected names. */
    void removeHopByHop(HttpHeaders headers) {
        removeNamedByConnection(headers, configured);
        for (String name : headers.names()) {
            if (isImitation(name)) {
                headers.remove(name);
            }
        }
    }

    /** Removes the hop-by-hop fields of a response. */
    public static void removeHopByHopOfResponse(HttpHeaders headers) {
        removeNamedByConnection(headers, Set.of());
    }

    /** A protected field that could be named in Connection would make the next hop see another message than this one. */
    private static void removeNamedByConnection(HttpHeaders headers, Set<String> configured) {
        for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String each : line.split(",", -1)) {
                String name = each.strip();
                if (!name.isEmpty() && !isProtected(name.toLowerCase(Locale.ROOT), configured)) {
                    headers.remove(name);
                }
            }
        }
        for (CharSequence name : HOP_BY_HOP) {
            headers.remove(name);
        }
    }

    /** A trailer comes too late to be checked, and no service was asked for one: TE is not passed on. */
    public static void removeTrailers(HttpContent content) {
        if (content instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
            last.trailingHeaders().clear();
        }
    }

    public boolean isProtected(String name) {
        return isProtected(name.toLowerCase(Locale.ROOT), configured);
    }

    private static boolean isProtected(String lower, Set<String> configured) {
        return PROTECTED.contains(lower)
                || configured.contains(lower)
                || PROTECTED_FAMILIES.stream().anyMatch(lower::startsWith);
    }

    /** Whether a service that takes other characters for -, as CGI does, would read it as a protected name. */
    private boolean isImitation(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String folded = folded(lower);
        return !folded.equals(lower)
                && !PROTECTED.contains(lower)
                && !configured.contains(lower)
                && isProtected(folded, configured);
    }

    /** The name as a service sees it that treats every character except letters and digits alike. */
    private static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = Character.toLowerCase(name.charAt(i));
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            folded.append(plain ? c : '-');
        }
        return folded.toString();
    }
}
