// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway;

import io.semel.gateway.config.RouteSettings;
import io.semel.http.HttpDoor;

/** A route with its door. */
record Route(RouteSettings settings, HttpDoor door) {

    boolean takes(String path) {
        return settings.path().matches(path);
    }

    boolean takes(String path, String method) {
        return settings.methods().contains(method) && takes(path);
    }
}
