// SPDX-License-Identifier: Apache-2.0
package io.semel.gateway.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StormResultTest {

    private final StormCounters tally = new StormCounters();

    private StormResult result(Map<String, Long> charges, boolean stopped) {
        return new StormResult(tally, charges, 1, stopped);
    }

    @Test
    void aDoubleChargeBreaksThePromiseAlsoOfAStormThatWasStopped() {
        tally.requests.add(2);
        assertThat(result(Map.of("a", 1L, "b", 1L), false).isAsPromised()).isTrue();
        assertThat(result(Map.of("a", 1L, "b", 2L), false).isAsPromised()).isFalse();
        assertThat(result(Map.of("a", 2L), true).isAsPromised()).isFalse();
    }

    @Test
    void anOrderThatWasNotChargedBreaksThePromise() {
        tally.requests.add(2);
        assertThat(result(Map.of("a", 1L), false).isAsPromised()).isFalse();
        assertThat(result(Map.of("a", 1L), true).isAsPromised()).isTrue();
    }

    @Test
    void anotherAnswerThanTheFirstBreaksThePromise() {
        tally.requests.increment();
        tally.answered("a", "receipt-1");
        tally.answered("a", "receipt-1");
        assertThat(result(Map.of("a", 1L), false).isAsPromised()).isTrue();
        tally.answered("a", "receipt-2");
        assertThat(result(Map.of("a", 1L), false).isAsPromised()).isFalse();
    }

    @Test
    void theTableCountsWhatWasChargedTooOften() {
        StringWriter out = new StringWriter();
        result(Map.of("a", 1L, "b", 3L), false).print(new PrintWriter(out));
        assertThat(out.toString())
                .containsPattern("executions +4 ")
                .containsPattern("double charges +2 +excess charges, on 1 orders")
                .contains("charged more than once");
    }
}
