// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** The rules that every simulation keeps, whatever it is about. */
public enum Liveness {
    /** Somebody can go on, or time can pass, until the run is through. */
    NO_DEADLOCK,
    /** A run ends within a number of steps that only an endless loop would need. */
    NO_ENDLESS_LOOP,
    /** Nothing is thrown that no task expects. */
    NO_SURPRISE
}
