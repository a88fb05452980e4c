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
 * Says whose keys the keys of a request are: those of everything that the request shows and the settings name, together. What a
 * request shows and the settings do not name is refused, so that no two callers share answers without somebody having said so.
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
     * Says who asks.
     *
     * @throws CallerRefused if nobody can say, or if a credential is not good
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
     * As {@link #of}, for an event loop: null if somebody has to be asked first.
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

    /** Whether finding out may take its time, so that it must not be asked in an event loop. */
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
