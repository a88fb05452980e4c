// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

/** The error of a simulated codec. */
final class CodecFailed extends Error {

    private static final long serialVersionUID = 1L;

    CodecFailed() {
        super("simulated: the codec broke down", null, true, false);
    }
}
