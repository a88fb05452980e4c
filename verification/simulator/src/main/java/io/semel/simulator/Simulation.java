// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

/** What is played in a world: it spawns tasks, waits for them and looks at what became of everything. */
@FunctionalInterface
public interface Simulation {

    void play(World world);
}
