// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.fuzz;

import java.io.IOException;

/** What was read is not HTTP as it should be. */
final class Malformed extends IOException {

    private static final long serialVersionUID = 1L;

    Malformed(String message) {
        super(message);
    }
}
