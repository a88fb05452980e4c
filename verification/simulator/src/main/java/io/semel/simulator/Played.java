// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import org.jspecify.annotations.Nullable;

/**
 * One run, when it is over.
 *
 * @param violation what it broke; null if nothing
 */
public record Played(long seed, @Nullable Violation violation, Trace trace, Tally tally) {

    /** Plays one seed. */
    public static Played play(long seed, Simulation simulation) {
        try (Threads threads = new Threads()) {
            return play(seed, simulation, threads);
        }
    }

    static Played play(long seed, Simulation simulation, Threads threads) {
        World world = new World(seed, threads);
        try {
            world.play(simulation);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while seed " + seed + " was played", e);
        }
        return new Played(seed, world.violation(), world.trace(), world.tally());
    }
}
