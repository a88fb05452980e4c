// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** Ends whatever a task was doing on a {@link Node} that died; what it leaves behind can no longer reach anybody. */
public sealed class Crash extends Error permits Over {

    private static final long serialVersionUID = 1L;

    Crash(String story) {
        super(story, null, false, false);
    }
}
