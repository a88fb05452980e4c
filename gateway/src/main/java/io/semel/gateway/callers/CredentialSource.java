// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.semel.gateway.config.ScopeSettings;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Configured headers and a cookie whose values, hashed together, identify the caller: a new value is a new caller. */
final class CredentialSource implements CallerSource {

    private final List<String> names;
    private final @Nullable String cookie;
    private final boolean otherCookiesIgnored;

    CredentialSource(ScopeSettings settings) {
        this.names = settings.credentials();
        this.cookie = settings.cookie();
        this.otherCookiesIgnored =
                settings.ignored().stream().anyMatch(HttpHeaderNames.COOKIE.toString()::equalsIgnoreCase);
    }

    @Override
    public List<String> parts(HttpHeaders headers, Channel connection) {
        MessageDigest digest = null;
        for (String name : names) {
            for (String value : headers.getAll(name)) {
                digest = digest == null ? CredentialHash.sha256() : digest;
                CredentialHash.add(digest, name, value);
            }
        }
        String session = cookie == null ? null : session(headers, cookie);
        if (session != null) {
            digest = digest == null ? CredentialHash.sha256() : digest;
            CredentialHash.add(digest, "cookie " + cookie, session);
        }
        return digest == null
                ? List.of()
                : List.of("credential:" + HexFormat.of().formatHex(digest.digest()));
    }

    /** HTTP/2 may have split the line. */
    private @Nullable String session(HttpHeaders headers, String name) {
        String line = String.join("; ", headers.getAll(HttpHeaderNames.COOKIE));
        List<String> values = line.isEmpty()
                ? List.of()
                : ServerCookieDecoder.LAX.decodeAll(line).stream()
                        .filter(each -> each.name().equals(name))
                        .map(Cookie::value)
                        .distinct()
                        .toList();
        if (values.size() > 1) {
            throw CallerRefused.ambiguous("Cookie");
        }
        if (values.isEmpty() && !line.isEmpty() && !otherCookiesIgnored) {
            // The service may identify the caller by one of them.
            throw CallerRefused.notConfigured("cookie");
        }
        return values.isEmpty() ? null : values.get(0);
    }
}
