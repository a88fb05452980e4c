// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import io.semel.spring.SemelHttpProperties;
import io.semel.spring.internal.method.RouteCheck;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The routes of an application that take idempotency keys, with the filter of each, made once. */
public final class RouteRegistry<F> implements RouteCheck {

    private static final Set<String> WITHOUT_EFFECT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT");

    private final RouteFilterFactory<F> factory;
    private final RouteFilter<F> standard;
    private final ConcurrentMap<MethodClassKey, RouteFilter<F>> byHandler = new ConcurrentHashMap<>();
    private final List<PathPattern> paths;
    private final @Nullable ApplicationSessions sessions;

    public RouteRegistry(
            RouteFilterFactory<F> factory, SemelHttpProperties settings, @Nullable ApplicationSessions sessions) {
        this.factory = factory;
        this.standard = RouteFilter.unmarked(factory.standard());
        this.paths = settings.paths().stream()
                .map(PathPatternParser.defaultInstance::parse)
                .toList();
        this.sessions = sessions;
    }

    public RouteFilter<F> standard() {
        return standard;
    }

    public RouteFilter<F> of(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        RouteFilter<F> known = byHandler.get(key);
        if (known == null) {
            known = factory.create(method, type);
            byHandler.put(key, known);
        }
        return known;
    }

    @Override
    public void check(Method method, Class<?> type) {
        of(method, type);
    }

    public static boolean isWithoutEffect(String httpMethod) {
        return WITHOUT_EFFECT.contains(httpMethod);
    }

    /** Whether a request is about a session, and so has no handler. */
    public boolean isForSessions(String uri) {
        return sessions != null && sessions.takes(uri);
    }

    public boolean covers(PathContainer path) {
        return paths.stream().anyMatch(pattern -> pattern.matches(path));
    }
}
