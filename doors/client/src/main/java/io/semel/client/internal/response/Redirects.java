// SPDX-License-Identifier: Apache-2.0
package io.semel.client.internal.response;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The redirects that are followed: those that keep method and body, within one origin, since headers go along. */
public final class Redirects {

    public static final int MOST = 5;

    /** The target of the same request; null if the answer is to be taken as it is. */
    public static @Nullable URI target(URI from, HttpResponse<?> response) {
        int status = response.statusCode();
        String location = response.headers().firstValue("Location").orElse("");
        if ((status != 307 && status != 308) || location.isEmpty()) {
            return null;
        }
        try {
            URI target = from.resolve(location);
            return origin(target).equals(origin(from)) ? target : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String origin(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        int standard = scheme.equals("https") ? 443 : 80;
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
        return scheme + "://" + host + ":" + (uri.getPort() < 0 ? standard : uri.getPort());
    }

    private Redirects() {}
}
