// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.simulator.Fault;
import io.semel.simulator.Played;
import io.semel.simulator.Seeds;
import io.semel.simulator.Tally;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionSimulationTest {

    /** What has to occur once in so many seeds, or the simulation does not show what it claims to. */
    private static final int SEEDS_PER_OCCURRENCE = 1000;

    @Test
    void everySeedKeepsEveryInvariantAndEveryFaultOccurs() {
        Seeds seeds = Seeds.ofProperties(System.out);

        Tally tally = seeds.play(SessionSimulation.inMemory());

        List<String> expected = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (fault != Fault.PARTIAL && fault != Fault.INTERRUPT) {
                expected.add("fault " + fault);
            }
        }
        for (String told :
                List.of("Done", "Busy", "STALE", "SESSION_EXPIRED", "SESSION_UNKNOWN", "OUT_OF_ORDER", "UNKNOWN")) {
            expected.add("outcome " + told);
        }
        for (String each : expected) {
            assertThat(tally.of(each).runs()).as(each).isGreaterThanOrEqualTo(seeds.count() / SEEDS_PER_OCCURRENCE);
        }
    }

    @Test
    void aSeedPlaysTheSameRunTwice() {
        for (int seed = 0; seed < 100; seed++) {
            Played once = Played.play(seed, SessionSimulation.inMemory());
            Played again = Played.play(seed, SessionSimulation.inMemory());

            assertThat(again.trace().lines())
                    .as("seed " + seed)
                    .isEqualTo(once.trace().lines());
        }
    }
}
