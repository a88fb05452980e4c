// SPDX-License-Identifier: Apache-2.0
package io.semel;

/** Is told what the engine does; it must return quickly, and whatever it throws goes to the thread's uncaught exception handler. */
@FunctionalInterface
public interface Listener {

    void on(Event event);
}
