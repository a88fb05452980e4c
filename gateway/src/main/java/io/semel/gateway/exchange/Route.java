// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.exchange;

import io.semel.gateway.config.RouteSettings;
import io.semel.http.HttpIdempotency;

/** A route with its rules for keys. */
public record Route(RouteSettings settings, HttpIdempotency door) {

    boolean takesPath(String path, boolean anyCase) {
        return anyCase ? settings.path().matchesAnyCase(path) : settings.path().matches(path);
    }

    boolean takes(String method) {
        return settings.methods().contains(method);
    }
}
