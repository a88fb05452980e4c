// SPDX-License-Identifier: Apache-2.0
package io.semel.spring.internal.method;

import java.lang.reflect.Method;

/** The check at start-up of marked HTTP handlers; absent in applications whose requests are not filtered. */
public interface RouteCheck {

    void check(Method method, Class<?> type);
}
