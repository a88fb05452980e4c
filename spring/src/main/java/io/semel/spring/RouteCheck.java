// SPDX-License-Identifier: Apache-2.0
package io.semel.spring;

import java.lang.reflect.Method;

/** Checks at start-up that a marked handler of HTTP requests can be guarded; there only where those are guarded at all. */
interface RouteCheck {

    void check(Method method, Class<?> type);
}
