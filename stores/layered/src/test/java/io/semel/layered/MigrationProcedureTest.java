// SPDX-License-Identifier: Apache-2.0
package io.semel.layered;

import static org.assertj.core.api.Assertions.assertThat;

import io.semel.WhenAbandoned;
import io.semel.layered.FaultPlan.Fault;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The documented move from one store to another as a whole, with a fault at each of its calls to either store in turn. */
class MigrationProcedureTest {

    @ParameterizedTest(name = "{0}, {1}, retries at once: {2}")
    @MethodSource("runs")
    void eachCallHappensOnceAndKeepsItsAnswer(WhenAbandoned policy, Fault fault, boolean atOnce) {
        int calls = 0;
        while (run(policy, fault, atOnce, calls + 1).isHit()) {
            calls++;
        }
        assertThat(calls).as("calls of the whole procedure").isGreaterThan(50);
    }

    private static FaultPlan run(WhenAbandoned policy, Fault fault, boolean atOnce, int at) {
        FaultPlan plan = new FaultPlan(fault, at);
        try {
            new MigrationProcedure(policy, plan, atOnce).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("With a fault at call " + at + ": " + e.getMessage(), e);
        }
        return plan;
    }

    static Stream<Arguments> runs() {
        return Stream.of(WhenAbandoned.refuse(), WhenAbandoned.rerun())
                .flatMap(policy -> Stream.of(Fault.values())
                        .flatMap(fault -> Stream.of(true, false).map(atOnce -> Arguments.of(policy, fault, atOnce))));
    }
}
