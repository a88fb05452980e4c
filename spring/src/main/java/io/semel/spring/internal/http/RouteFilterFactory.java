// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.http;

import java.lang.reflect.Method;

/** The maker of filters for requests with an idempotency key. */
public interface RouteFilterFactory<F> {

    /** The filter for routes of which nothing is known. */
    F standard();

    /** Throws an {@link io.semel.spring.internal.setup.InvalidSetup} for a marked handler that cannot keep what it demands. */
    RouteFilter<F> create(Method method, Class<?> type);
}
