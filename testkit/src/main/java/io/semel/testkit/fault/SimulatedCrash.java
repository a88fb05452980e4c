// SPDX-License-Identifier: Apache-2.0
package io.semel.testkit.fault;

/** Unwinds whoever calls the store from a process that a test has let crash; an Error, so that services do not catch it. */
public final class SimulatedCrash extends Error {

    private static final long serialVersionUID = 1L;

    SimulatedCrash(String when) {
        super(when + "; whatever it still tries is in vain.");
    }
}
