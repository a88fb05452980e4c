// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

/**
 * The filter of one route.
 *
 * @param marked whether the handler is marked, and so takes part whatever its path is
 */
public record RouteFilter<F>(F filter, boolean marked) {

    public static <F> RouteFilter<F> marked(F filter) {
        return new RouteFilter<>(filter, true);
    }

    public static <F> RouteFilter<F> unmarked(F filter) {
        return new RouteFilter<>(filter, false);
    }
}
