// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the route of a request, unless a service might read its path as that of another route. */
final class RouteTable {

    private final List<Route> routes;
    private final boolean hasCapitals;

    /** @param routes looked at in this order; the last takes every path */
    RouteTable(List<Route> routes) {
        this.routes = routes;
        this.hasCapitals = routes.stream()
                .anyMatch(route -> route.settings().path().toString().chars().anyMatch(Character::isUpperCase));
    }

    /** Null if it depends on how the path is read. */
    @Nullable
    Route choose(String path, String method) {
        String normalised = PathReadings.normalised(path);
        Route chosen = first(normalised, method, false);
        if (routes.size() == 1 || (PathReadings.isPlain(normalised) && !hasCapitals)) {
            return chosen;
        }
        for (String reading : PathReadings.of(normalised)) {
            boolean sure = isRight(chosen, first(reading, method, false), method)
                    && isRight(chosen, first(reading, method, true), method);
            if (!sure) {
                return null;
            }
        }
        return chosen;
    }

    /** A request that neither route handles passes either way. */
    private static boolean isRight(Route chosen, Route other, String method) {
        return other.equals(chosen) || !(chosen.takes(method) || other.takes(method));
    }

    /** The first that takes path and method; else the first that takes the path, which lets the method pass. */
    private Route first(String path, String method, boolean anyCase) {
        Route byPath = null;
        for (Route route : routes) {
            if (route.takesPath(path, anyCase)) {
                if (route.takes(method)) {
                    return route;
                }
                byPath = byPath == null ? route : byPath;
            }
        }
        if (byPath == null) {
            throw new IllegalStateException("The last route takes every path.");
        }
        return byPath;
    }
}
