// SPDX-License-Identifier: Apache-2.0
package io.semel.internal;

import io.semel.Event;
import io.semel.Listener;

/** Lets nothing that a listener throws reach what the engine does, nor be lost. */
public final class Listeners {

    public static void tell(Listener listener, Event event) {
        try {
            listener.on(event);
        } catch (Throwable e) {
            // Also what no signature allows: languages without checked exceptions throw anything.
            report(e);
        }
    }

    private static void report(Throwable thrown) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable e) {
            // As the JVM does: what the handler throws is nobody's.
        }
    }

    private Listeners() {}
}
