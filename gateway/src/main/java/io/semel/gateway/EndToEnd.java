// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.gateway.config.RouteSettings;
import io.semel.gateway.config.Settings;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Names of headers that are meant for the service, or decided by the gateway, whatever a client says of them. */
final class EndToEnd {

    private static final List<String> FAMILIES =
            List.of("content-", "semel-", "x-forwarded-", "x-original-", "client-cert", "accept-", "if-", "access-");
    private static final List<String> STANDARD = List.of(
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

    static final EndToEnd ALWAYS = new EndToEnd(List.of());

    private final Set<String> names = new HashSet<>(STANDARD);

    EndToEnd(Collection<String> more) {
        more.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    }

    static EndToEnd of(Settings settings) {
        Set<String> named = new HashSet<>(settings.scope().credentials());
        Stream.of(settings.scope().tenantHeader(), settings.scope().header())
                .filter(Objects::nonNull)
                .forEach(named::add);
        for (RouteSettings route : settings.routes()) {
            named.addAll(route.keyHeaders());
        }
        return new EndToEnd(named);
    }

    boolean has(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return names.contains(lower) || FAMILIES.stream().anyMatch(lower::startsWith);
    }

    /** Whether services that take other characters for -, as CGI does, would take it for one of these. */
    boolean isImitated(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String folded = folded(lower);
        return !folded.equals(lower) && !names.contains(lower) && has(folded);
    }

    /** As services see it that take whatever is neither a letter nor a digit for the same character. */
    static String folded(String name) {
        StringBuilder folded = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = Character.toLowerCase(name.charAt(i));
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            folded.append(plain ? c : '-');
        }
        return folded.toString();
    }
}
