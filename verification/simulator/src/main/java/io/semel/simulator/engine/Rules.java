// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.simulator.World;
import java.util.Set;

/** The invariants of one run, less those that it is not to be judged by. */
final class Rules {

    private final World world;
    private final Set<Invariant> waived;

    Rules(World world, Set<Invariant> waived) {
        this.world = world;
        this.waived = waived;
    }

    /** Ends the run if the invariant does not hold. */
    void check(boolean holds, Invariant invariant, Object who, String story) {
        if (!holds && !waived.contains(invariant)) {
            world.violated(invariant, who + ": " + story);
        }
    }
}
