// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** Ends a task when its run is over: the whole world died. */
final class Over extends Crash {

    private static final long serialVersionUID = 1L;

    Over() {
        super("the run is over");
    }
}
