// SPDX-License-Identifier: Apache-2.0
package io.semel;

import io.semel.internal.Listeners;
import java.util.List;

/** Is told what the engine does; it must return quickly, and whatever it throws goes to the thread's uncaught exception handler. */
@FunctionalInterface
public interface Listener {

    void on(Event event);

    /** Tells each of them, also those that join the list later; one that throws keeps no other from being told. */
    static Listener all(List<? extends Listener> listeners) {
        return event -> listeners.forEach(each -> Listeners.tell(each, event));
    }
}
