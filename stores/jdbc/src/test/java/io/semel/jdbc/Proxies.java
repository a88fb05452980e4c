// SPDX-License-Identifier: Apache-2.0
package io.semel.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Stand-ins for what JDBC has interfaces for. */
final class Proxies {

    static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            try {
                return handler.handle(method, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    interface Handler {

        Object handle(Method method, Object[] arguments) throws Exception;
    }

    private Proxies() {}
}
