// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.config;

import io.semel.gateway.config.yaml.YamlSection;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the scope of a request's key is determined.
 *
 * @param credentials headers whose values, hashed together, name the caller
 * @param cookie the cookie that names the caller, if one does
 * @param header where a trusted proxy names the caller, if one does
 * @param ignored headers that look like credentials and do not identify the caller
 * @param tenantHeader names the tenant, if given
 * @param introspection the service that is asked about opaque tokens, if any
 * @param host whether callers of different hosts are different callers
 */
public record ScopeSettings(
        List<String> credentials,
        @Nullable String cookie,
        @Nullable String header,
        List<String> ignored,
        @Nullable String tenantHeader,
        boolean host,
        Anonymous anonymous,
        @Nullable Jwt jwt,
        @Nullable IntrospectionSettings introspection) {

    private static final String AUTHORIZATION = "Authorization";

    public static final ScopeSettings DEFAULT =
            new ScopeSettings(List.of(AUTHORIZATION), null, null, List.of(), null, false, Anonymous.ALLOW, null, null);

    public static ScopeSettings of(YamlSection settings, TrustedProxies proxies) {
        YamlSection scope = settings.fields(
                "scope",
                "credentials",
                "cookie",
                "header",
                "ignored",
                "tenantHeader",
                "host",
                "anonymous",
                "jwt",
                "introspection");
        if (scope == null) {
            return DEFAULT;
        }
        Jwt jwt = Jwt.of(scope);
        IntrospectionSettings introspection = IntrospectionSettings.of(scope);
        if (jwt != null && introspection != null) {
            throw scope.wrong("introspection", "and jwt are two ways to read one token; choose one");
        }
        boolean known = jwt != null || introspection != null;
        if (scope.has("header") && proxies.isEmpty()) {
            throw scope.wrong(
                    "header", "is believed from trusted proxies only; say their addresses in trustedProxies:");
        }
        List<String> ignored = scope.texts("ignored", List.of());
        boolean asUsual = !known && ignored.stream().noneMatch(AUTHORIZATION::equalsIgnoreCase);
        List<String> credentials = scope.texts("credentials", asUsual ? DEFAULT.credentials : List.of());
        if (known && credentials.stream().anyMatch(AUTHORIZATION::equalsIgnoreCase)) {
            throw scope.wrong(
                    "credentials", "has Authorization, which jwt or introspection looks at; name it in one of them");
        }
        return new ScopeSettings(
                credentials,
                scope.text("cookie"),
                scope.text("header"),
                ignored,
                scope.text("tenantHeader"),
                scope.flag("host"),
                scope.choice("anonymous", Anonymous.class, Anonymous.ALLOW),
                jwt,
                introspection);
    }

    /** The treatment of keys of requests without any credential. */
    public enum Anonymous {
        /** They share one scope, in which a caller that repeats another's key and request gets its answer. */
        ALLOW,
        REFUSE
    }

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
            @Nullable String audience) {

        private static @Nullable Jwt of(YamlSection scope) {
            YamlSection jwt = scope.fields("jwt", "jwks", "keys", "issuer", "audience");
            if (jwt == null) {
                return null;
            }
            String issuer = jwt.text("issuer");
            if (issuer == null) {
                throw jwt.wrong("issuer", "is missing; tokens of any other issuer are refused");
            }
            if (jwt.has("jwks") == jwt.has("keys")) {
                throw jwt.wrong("jwks", "or keys: give one of them, the URL or the file of the issuer's keys");
            }
            return new Jwt(jwt.text("jwks"), jwt.file("keys"), issuer, jwt.text("audience"));
        }
    }
}
