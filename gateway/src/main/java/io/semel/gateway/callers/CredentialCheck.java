// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.gateway.config.ScopeSettings;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Refuses requests whose credentials the settings do not name, since callers could not be identified by them. */
final class CredentialCheck {

    private static final Set<String> HEADERS = Set.of(
            "authorization",
            "cookie",
            "x-api-key",
            "api-key",
            "apikey",
            "x-apikey",
            "x-api-token",
            "x-auth-token",
            "x-auth-key",
            "x-access-token",
            "x-authorization",
            "x-session-token",
            "x-session-id",
            "x-user-token",
            "private-token",
            "x-vault-token",
            "x-goog-api-key",
            "x-goog-iap-jwt-assertion",
            "x-amz-security-token",
            "x-amzn-oidc-data",
            "x-ms-client-principal",
            "ocp-apim-subscription-key",
            "cf-access-jwt-assertion",
            "dpop",
            "signature-input");

    /** Authorization schemes whose value differs with every request: a retry would look like another caller's. */
    private static final Set<String> CHANGING = Set.of(
            "aws4-hmac-sha256",
            "aws4-ecdsa-p256-sha256",
            "aws",
            "digest",
            "dpop",
            "eg1-hmac-sha256",
            "hawk",
            "hmac",
            "mac",
            "negotiate",
            "ntlm",
            "oauth",
            "sharedkey",
            "sharedkeylite",
            "signature",
            "tc3-hmac-sha256");

    private final Set<String> named = new HashSet<>();
    private final boolean looksAtAuthorization;

    CredentialCheck(ScopeSettings settings) {
        settings.credentials().forEach(name -> named.add(lower(name)));
        settings.ignored().forEach(name -> named.add(lower(name)));
        boolean tokens = settings.jwt() != null || settings.introspection() != null;
        if (tokens) {
            named.add("authorization");
        }
        if (settings.cookie() != null) {
            named.add("cookie");
        }
        if (settings.header() != null) {
            named.add(lower(settings.header()));
        }
        this.looksAtAuthorization = tokens
                || settings.credentials().stream().anyMatch(HttpHeaderNames.AUTHORIZATION.toString()::equalsIgnoreCase);
    }

    /** @throws CallerRefused if the request shows a credential that the settings do not name, or that is never the same twice */
    void check(HttpHeaders headers) {
        for (Map.Entry<String, String> line : headers) {
            String name = canonical(line.getKey());
            if (HEADERS.contains(name) && !named.contains(name)) {
                throw CallerRefused.notConfigured(name);
            }
        }
        if (looksAtAuthorization) {
            headers.getAll(HttpHeaderNames.AUTHORIZATION).forEach(CredentialCheck::checkScheme);
        }
    }

    private static void checkScheme(String authorization) {
        String text = authorization.strip();
        int end = text.indexOf(' ');
        String scheme = lower(end < 0 ? text : text.substring(0, end));
        if (CHANGING.contains(scheme)) {
            throw CallerRefused.changing(scheme);
        }
    }

    /** Names that differ by underscores alone are one to many services. */
    private static String canonical(String name) {
        return lower(name).replace('_', '-');
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
