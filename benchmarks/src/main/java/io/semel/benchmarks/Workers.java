// SPDX-License-Identifier: Apache-2.0
package io.semel.benchmarks;

import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The threads that measure: platform threads, or with {@code -Dthreads=virtual} virtual ones, where the running JVM has them. */
public final class Workers {

    private static final boolean VIRTUAL = "virtual".equals(System.getProperty("threads"));

    public static ThreadFactory factory() {
        return VIRTUAL ? virtual() : platform();
    }

    static ThreadFactory platform() {
        return Executors.defaultThreadFactory();
    }

    /** By its name, because Java 17 does not have it. */
    private static ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Java " + Runtime.version().feature() + " has no virtual threads; run it with 21 or later.", e);
        }
    }

    private Workers() {}
}
