// SPDX-License-Identifier: Apache-2.0
package io.semel.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SeedsTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    private enum Rule {
        NEVER_SEVEN
    }

    private static void play(World world) {
        world.tell("plays " + world.seed());
        world.tally().count("played");
        if (world.seed() == 7) {
            world.violated(Rule.NEVER_SEVEN, "it is seven");
        }
    }

    @Test
    void seedsThatKeepTheRulesAreCounted() {
        Tally tally = Seeds.of(10, 50, out).play(SeedsTest::play);

        assertThat(tally.of("played")).isEqualTo(new Tally.Count(50, 50));
        assertThat(output()).contains("50 seeds").contains("played");
    }

    @Test
    void aSeedThatBreaksARuleIsPrintedWithItsTraceAndHowToPlayItAgain() {
        assertThatThrownBy(() -> Seeds.of(0, 50, out).play(SeedsTest::play))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Seed 7 breaks NEVER_SEVEN: it is seven")
                .hasMessageContaining("-Dsemel.sim.seed=7");

        assertThat(output()).contains("plays 7").contains("Seed 7 breaks").contains("-Dsemel.sim.seed=7");
    }

    @Test
    void oneSeedAlonePrintsItsWholeTrace() {
        Seeds.of(3, 1, out).play(SeedsTest::play);

        assertThat(output()).contains("plays 3");
    }

    private String output() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
