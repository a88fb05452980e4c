// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.engine;

import io.semel.simulator.Chance;
import io.semel.simulator.Fault;
import io.semel.simulator.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How a run is set up, drawn by its seed. Runs differ in which faults they have at all: some have none, some one kind, some
 * many, because a run in which everything goes wrong hides what goes wrong by a single fault.
 *
 * @param fury how much more likely than usual faults are
 * @param hardship how likely it is that work takes long
 */
record Setup(
        Duration lease,
        List<Plan> plans,
        int nodes,
        int clients,
        boolean steadyClocks,
        Set<Fault> faults,
        double fury,
        double hardship) {

    private static final List<Duration> LEASES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10));

    private static final Set<Fault> CLOCK_FAULTS = EnumSet.of(Fault.LEAP, Fault.JUMP_FORTH, Fault.JUMP_BACK);

    static Setup draw(Chance chance) {
        boolean steady = chance.of(0.6);
        Duration lease = chance.pick(LEASES);
        List<Plan> plans = new ArrayList<>();
        for (int i = chance.between(1, 3); i > 0; i--) {
            plans.add(Plan.draw(chance, plans.size() + 1, lease, steady));
        }
        Set<Fault> faults = drawFaults(chance);
        if (steady) {
            faults.removeAll(CLOCK_FAULTS);
        }
        double fury = chance.pick(faults.size() < 3 ? List.of(1.0, 4.0, 8.0) : List.of(0.5, 1.5, 4.0));
        double hardship = chance.pick(List.of(0.1, 0.4, 0.8));
        int nodes = chance.pick(List.of(1, 1, 2, 3));
        return new Setup(lease, plans, nodes, chance.between(2, 5), steady, faults, fury, hardship);
    }

    private static Set<Fault> drawFaults(Chance chance) {
        List<Fault> all = List.of(Fault.values());
        double each = chance.pick(List.of(0.0, 0.0, 0.2, 0.5, 1.0));
        Set<Fault> drawn = EnumSet.noneOf(Fault.class);
        all.stream().filter(fault -> chance.of(each)).forEach(drawn::add);
        if (each == 0.0) {
            for (int i = chance.below(3); i > 0; i--) {
                drawn.add(chance.pick(all));
            }
        }
        return drawn;
    }

    void arm(Faults armed) {
        armed.unit(lease);
        faults.forEach(fault -> armed.odds(fault, Math.min(0.5, fury * likelihood(fault))));
    }

    /** What strikes a whole node, or everybody, must be rarer than what strikes one call. */
    private static double likelihood(Fault fault) {
        return switch (fault) {
            case PAUSE, STARVE -> 0.02;
            case CRASH, LEAP, JUMP_FORTH, JUMP_BACK -> 0.01;
            case INTERRUPT, PARTIAL -> 0.1;
            case HANG -> 0.03;
            case SLOW_BEFORE, SLOW_AFTER -> 0.06;
            default -> 0.04;
        };
    }
}
