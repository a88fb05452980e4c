// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.callers;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.semel.Key;
import io.semel.gateway.config.IntrospectionSettings;
import io.semel.gateway.config.ScopeSettings;
import io.semel.gateway.config.Settings;
import io.semel.http.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller of a request by all credentials that the settings name, together. A credential that they do not name is
 * refused, so that two callers share answers only if the settings say so.
 */
public final class CallerResolver {

    private final ScopeSettings settings;
    private final List<CallerSource> sources;
    private final CredentialCheck known;

    private CallerResolver(ScopeSettings settings, List<CallerSource> sources) {
        this.settings = settings;
        this.sources = sources;
        this.known = new CredentialCheck(settings);
    }

    /** Reads keys of tokens from their file, if there is one. */
    public static CallerResolver of(Settings settings) {
        ScopeSettings scope = settings.scope();
        List<CallerSource> sources = new ArrayList<>();
        if (settings.clients().trust() != null) {
            sources.add(new CertificateSource());
        }
        ScopeSettings.Jwt jwt = scope.jwt();
        if (jwt != null) {
            sources.add(new JwtSource(jwt));
        }
        IntrospectionSettings introspection = scope.introspection();
        if (introspection != null) {
            sources.add(new IntrospectionSource(introspection, settings.upstreams()));
        }
        String header = scope.header();
        if (header != null) {
            sources.add(new ProxyHeaderSource(header, settings.trustedProxies()));
        }
        sources.add(new CredentialSource(scope));
        return new CallerResolver(scope, List.copyOf(sources));
    }

    /**
     * The caller of a request.
     *
     * @throws CallerRefused if the caller cannot be identified, or a credential is not valid
     */
    public Caller of(HttpHeaders headers, Channel channel) {
        known.check(headers);
        Channel connection = ClientPeer.connection(channel);
        List<String> parts = new ArrayList<>();
        for (CallerSource source : sources) {
            parts.addAll(source.parts(headers, connection));
        }
        return caller(headers, parts);
    }

    /**
     * As {@link #of}, for an event loop: null if another service has to be asked first.
     *
     * @throws CallerRefused if nobody can say, or if a credential is not good
     */
    public @Nullable Caller known(HttpHeaders headers, Channel channel) {
        known.check(headers);
        Channel connection = ClientPeer.connection(channel);
        List<String> parts = new ArrayList<>();
        for (CallerSource source : sources) {
            List<String> found = source.known(headers, connection);
            if (found == null) {
                return null;
            }
            parts.addAll(found);
        }
        return caller(headers, parts);
    }

    private Caller caller(HttpHeaders headers, List<String> parts) {
        if (parts.isEmpty() && settings.anonymous() == ScopeSettings.Anonymous.REFUSE) {
            throw CallerRefused.anonymous();
        }
        return new Caller(tenant(headers), principal(parts));
    }

    /** Whether identifying a caller may block, so that event loops must not wait for it. */
    public boolean blocks() {
        return sources.stream().anyMatch(CallerSource::blocks);
    }

    private static @Nullable String principal(List<String> parts) {
        if (parts.isEmpty()) {
            return null;
        }
        return parts.size() == 1 ? parts.get(0) : Key.scope(parts.toArray(String[]::new));
    }

    /** The host in lower case, without the default port of its scheme; empty where there is none. */
    public static String canonicalHost(@Nullable String host) {
        if (host == null) {
            return "";
        }
        String lower = host.strip().toLowerCase(Locale.ROOT);
        for (String port : new String[] {":80", ":443"}) {
            if (lower.endsWith(port)) {
                return lower.substring(0, lower.length() - port.length());
            }
        }
        return lower;
    }

    private @Nullable String tenant(HttpHeaders headers) {
        String name = settings.tenantHeader();
        String tenant = name == null ? "" : String.join(",", headers.getAll(name));
        String host = settings.host() ? canonicalHost(headers.get(HttpHeaderNames.HOST)) : "";
        if (host.isEmpty()) {
            return tenant.isEmpty() ? null : tenant;
        }
        return tenant.isEmpty() ? Key.scope("host", host) : Key.scope("host", host, tenant);
    }
}
