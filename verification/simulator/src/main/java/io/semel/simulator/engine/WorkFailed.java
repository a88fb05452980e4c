// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

/** The checked exception of simulated work: it did not happen. */
final class WorkFailed extends Exception {

    private static final long serialVersionUID = 1L;

    WorkFailed(String message) {
        super(message, null, true, false);
    }
}
